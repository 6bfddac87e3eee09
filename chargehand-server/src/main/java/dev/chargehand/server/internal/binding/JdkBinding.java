package dev.chargehand.server.internal.binding;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.ExchangeHandler;
import dev.chargehand.server.internal.route.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Listens with the server of the JDK; a request is handled on a virtual thread. */
public final class JdkBinding {

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
            try (exchange) {
                agreeToClose(exchange);
                if (sizeOfHeaders(exchange) > ListenOptions.HEADERS) {
                    reject(exchange, Rejection.of(431));
                } else {
                    handler.handle(new JdkExchange(exchange));
                }
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

    private static void reject(HttpExchange exchange, Reply.Whole answer) throws IOException {
        new JdkExchange(exchange)
                .send(answer.status(), Map.of("Content-Type", answer.mediaType()), Rejection.body(answer));
    }

    /**
     * Tell a client that wants no more than this request that the connection ends. The JDK's server closes it and does not say so; a client
     * that goes by the answer would send its next request on it, which is reset.
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
            return exchange.getRequestURI().getRawPath();
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
