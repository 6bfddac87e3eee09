package dev.chargehand.server.internal.route;

import dev.chargehand.json.Json;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.ExchangeHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a request through its checks to its handler, and sends the answer. Thread-safe. */
public final class Dispatcher implements ExchangeHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Finds the caller of a request, or rejects it. */
    @FunctionalInterface
    public interface Caller {

        /** Return the caller. */
        SignedIn require(Exchange exchange, Route.Access access);
    }

    private final RouteTable table;
    private final Consumer<Exchange> origins;
    private final Caller signIn;
    private final Consumer<Principal> callers;
    private final ToLongFunction<ServerLimit> limits;
    private final Duration readTime;
    private final BiFunction<String, ProblemException, Reply.Whole> rejected;

    /**
     * Make it.
     *
     * @param origins rejects requests from other hosts and origins
     * @param callers rejects a caller that sends too many requests
     * @param readTime how long a body may take to arrive
     * @param rejected the answer to a request for a path that is rejected
     */
    public Dispatcher(
            RouteTable table,
            Consumer<Exchange> origins,
            Caller signIn,
            Consumer<Principal> callers,
            ToLongFunction<ServerLimit> limits,
            Duration readTime,
            BiFunction<String, ProblemException, Reply.Whole> rejected) {
        this.table = table;
        this.origins = origins;
        this.signIn = signIn;
        this.callers = callers;
        this.limits = limits;
        this.readTime = readTime;
        this.rejected = rejected;
    }

    @Override
    public void handle(Exchange exchange) throws IOException {
        try (Held held = new Held()) {
            switch (reply(exchange, held)) {
                case Reply.Whole whole -> send(exchange, whole);
                case Reply.Streamed streamed -> stream(exchange, streamed);
            }
        }
    }

    private void stream(Exchange exchange, Reply.Streamed streamed) throws IOException {
        try {
            streamed.writeTo(exchange);
        } catch (ProblemException e) { // only before the response starts
            send(exchange, rejected.apply(exchange.path(), e));
        } catch (RuntimeException e) {
            LOG.error("A stream of {} has failed.", exchange.method(), e);
            throw new IOException("The stream has failed.", e); // closes the connection
        }
    }

    private Reply reply(Exchange exchange, Held held) throws IOException {
        try {
            origins.accept(exchange);
            long length = (long) exchange.path().length() + exchange.query().length();
            if (length > limits.applyAsLong(ServerLimit.PATH_LENGTH)) {
                throw Problem.PATH_TOO_LONG.of("Path and query may have at most "
                        + limits.applyAsLong(ServerLimit.PATH_LENGTH) + " characters together.");
            }
            RouteTable.Match match = table.find(exchange.method(), exchange.path());
            SignedIn caller = signIn.require(exchange, match.route().access());
            if (match.route().access().signedIn()) {
                callers.accept(caller.principal());
            }
            Json body = RequestBody.read(exchange, limits, readTime);
            Map<String, String> query = Segments.query(exchange.query());
            match.route().requireExpected(query, body);
            RequestHeaders headers = RequestHeaders.of(exchange);
            match.route().requireAcceptable(headers.accept());
            return match.route()
                    .handler()
                    .handle(new Call(match.route(), caller, match.parameters(), query, headers, body, held));
        } catch (ProblemException e) {
            return rejected.apply(exchange.path(), e);
        } catch (RuntimeException e) {
            return rejected.apply(exchange.path(), Failures.problem(e).orElseGet(() -> {
                LOG.error("A request of {} has failed.", exchange.method(), e);
                return Problem.INTERNAL.of("The request could not be answered because of an error of the server.");
            }));
        }
    }

    private static void send(Exchange exchange, Reply.Whole whole) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>(whole.headers());
        headers.put("Cache-Control", "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        Json body = whole.body();
        if (body != null) {
            headers.put("Content-Type", whole.mediaType());
        }
        exchange.send(
                whole.status(),
                headers,
                body == null ? new byte[0] : body.text().getBytes(StandardCharsets.UTF_8));
    }
}
