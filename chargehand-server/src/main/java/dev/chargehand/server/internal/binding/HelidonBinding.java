package dev.chargehand.server.internal.binding;

import dev.chargehand.server.internal.http.Exchange;
import dev.chargehand.server.internal.http.ExchangeHandler;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Listens with Helidon; a request is handled on a virtual thread. */
public final class HelidonBinding {

    private HelidonBinding() {}

    /** Start to listen. */
    public static Listener listen(ListenOptions options, ExchangeHandler handler) {
        WebServer server = WebServer.builder()
                .host(options.host())
                .port(options.port())
                .backlog(ListenOptions.BACKLOG)
                .shutdownHook(false)
                .shutdownGracePeriod(options.grace())
                .connectionOptions(connection -> connection
                        .socketSendBufferSize(ListenOptions.SEND_BUFFER)
                        .tcpNoDelay(true))
                .addProtocol(Http1Config.builder()
                        .maxHeadersSize(ListenOptions.HEADERS)
                        .maxPrologueLength(ListenOptions.HEADERS)
                        .addReceiveListener(new SlowHeads(options.readTime()))
                        .build())
                .routing(routing -> routing.any((request, response) -> handle(handler, request, response)))
                .build()
                .start();
        if (!server.isRunning()) { // Helidon logs why it cannot listen, and returns as if it did
            throw new IllegalStateException("the address cannot be opened; the log of Helidon has the reason");
        }
        return new Listener() {
            @Override
            public int port() {
                return server.port();
            }

            @Override
            public void stop() {
                server.stop();
            }
        };
    }

    private static void handle(ExchangeHandler handler, ServerRequest request, ServerResponse response) {
        try {
            handler.handle(new HelidonExchange(request, response));
            if (request.headers()
                    .containsToken(HeaderValues.CONNECTION_CLOSE)) { // Helidon agrees to it, and waits for the client
                throw new CloseConnectionException("The client has no more requests.");
            }
        } catch (IOException e) {
            throw new CloseConnectionException("The client is gone.", e);
        }
    }

    private record HelidonExchange(ServerRequest request, ServerResponse response) implements Exchange {

        @Override
        public String method() {
            return request.prologue().method().text();
        }

        @Override
        public String path() {
            return request.prologue().uriPath().rawPath();
        }

        @Override
        public String query() {
            return request.prologue().query().rawValue();
        }

        @Override
        public List<String> headers(String name) {
            HeaderName header = HeaderNames.create(name);
            return request.headers().contains(header)
                    ? request.headers().get(header).allValues()
                    : List.of();
        }

        @Override
        public InputStream body() {
            return request.content().inputStream();
        }

        @Override
        public void send(int status, Map<String, String> headers, byte[] body) throws IOException {
            try {
                start(status, headers);
                if (isHead()) {
                    response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
                    response.send();
                } else {
                    response.send(body);
                }
            } catch (UncheckedIOException | CloseConnectionException e) {
                throw new IOException("The client is gone.", e);
            }
        }

        @Override
        public OutputStream stream(int status, Map<String, String> headers) throws IOException {
            start(status, headers);
            return new HelidonStream(response.outputStream());
        }

        private void start(int status, Map<String, String> headers) {
            response.status(Status.create(status));
            headers.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        }
    }
}
