package dev.chargehand.server.internal.binding;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.chargehand.server.internal.http.Deadline;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.ExchangeHandler;
import dev.chargehand.server.internal.route.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Listens with the server of the JDK; a request is handled on a virtual thread. */
public final class JdkBinding {

    private static final Set<String> VERSIONS = Set.of("HTTP/1.0", "HTTP/1.1");

    private JdkBinding() {}

    /** Start to listen. */
    public static Listener listen(ListenOptions options, ExchangeHandler handler) {
        return start(bind(options), options, handler);
    }

    /** Let the system queue connections, which are accepted after the start. */
    static HttpServer bind(ListenOptions options) {
        try {
            return HttpServer.create(new InetSocketAddress(options.host(), options.port()), ListenOptions.BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Listener start(HttpServer server, ListenOptions options, ExchangeHandler handler) {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try {
                agreeToClose(exchange);
                if (!isValid(exchange)) {
                    reject(exchange, Rejection.of(400));
                } else if (sizeOfHeaders(exchange) > ListenOptions.HEADERS) {
                    reject(exchange, Rejection.of(431));
                } else {
                    handler.handle(new JdkExchange(exchange));
                }
            } finally {
                end(exchange, options.readTime());
            }
        });
        server.start();
        return new Listener() {
            @Override
            public int port() {
                return server.getAddress().getPort();
            }

            @Override
            public void stop() {
                server.stop((int) Math.max(1, options.grace().toSeconds()));
                threads.shutdownNow();
            }
        };
    }

    /**
     * Return whether a request is one that other servers and proxies read in the same way. The JDK's server accepts any version, control
     * characters in headers, and a sign before a length.
     */
    private static boolean isValid(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        return VERSIONS.contains(exchange.getProtocol())
                && headers.values().stream().flatMap(List::stream).noneMatch(JdkBinding::hasControls)
                && headers.getOrDefault("Content-Length", List.of()).stream()
                        .allMatch(length -> length.chars().allMatch(c -> c >= '0' && c <= '9'));
    }

    private static boolean hasControls(String value) {
        return value.chars().anyMatch(c -> c < ' ' && c != '\t');
    }

    private static void reject(HttpExchange exchange, Reply.Whole answer) throws IOException {
        exchange.getResponseHeaders().set("Connection", "close");
        new JdkExchange(exchange)
                .send(answer.status(), Map.of("Content-Type", answer.mediaType()), Rejection.body(answer));
    }

    /**
     * Close an exchange when the rest of a body that was rejected has arrived. The JDK's server reads 64 KiB of it, and closes the connection
     * without a notice if there is more: the answer may be lost, and so is a request that the client sends next.
     */
    private static void end(HttpExchange exchange, Duration time) {
        Deadline rest = Deadline.within(time);
        try {
            long ignored = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // the client is gone or too slow, or a chunk is broken
        } finally {
            exchange.close();
            boolean ignored = rest.end();
        }
    }

    /**
     * Announce the end of the connection to a client that wants it. The JDK's server closes it without a notice; a client that goes by
     * the answer would send its next request on it, which is reset.
     */
    private static void agreeToClose(HttpExchange exchange) {
        boolean last = exchange.getRequestHeaders().getOrDefault("Connection", List.of()).stream()
                .flatMap(value -> Stream.of(value.split(",")))
                .anyMatch(option -> option.strip().equalsIgnoreCase("close"));
        if (last) {
            exchange.getResponseHeaders().set("Connection", "close");
        }
    }

    private static long sizeOfHeaders(HttpExchange exchange) {
        return exchange.getRequestHeaders().entrySet().stream()
                .mapToLong(header -> header.getValue().stream()
                        .mapToLong(value -> value.length() + header.getKey().length())
                        .sum())
                .sum();
    }

    private record JdkExchange(HttpExchange exchange) implements Exchange {

        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String path() {
            URI target = exchange.getRequestURI();
            return target.isAbsolute()
                    ? target.toString()
                    : target.getRawPath(); // as Helidon; no route is for other hosts
        }

        @Override
        public String query() {
            return Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
        }

        @Override
        public List<String> headers(String name) {
            return Objects.requireNonNullElse(exchange.getRequestHeaders().get(name), List.of());
        }

        @Override
        public InputStream body() {
            return exchange.getRequestBody();
        }

        @Override
        public void send(int status, Map<String, String> headers, byte[] body) throws IOException {
            headers.forEach(exchange.getResponseHeaders()::set);
            if (isHead()) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
            }
            boolean empty = body.length == 0 || isHead();
            exchange.sendResponseHeaders(status, empty ? -1 : body.length);
            if (!empty) {
                exchange.getResponseBody().write(body);
                exchange.getResponseBody().flush(); // before the rest of the request is read, which may fail
            }
        }

        @Override
        public OutputStream stream(int status, Map<String, String> headers) throws IOException {
            headers.forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(status, 0);
            return exchange.getResponseBody();
        }
    }
}
