package dev.chargehand.server.internal.binding;

import dev.chargehand.server.internal.http.Deadline;
import dev.chargehand.server.internal.http.ExchangeHandler;
import dev.chargehand.server.internal.route.Reply;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** Listens with Helidon; a request is handled on a virtual thread. */
public final class HelidonBinding {

    private HelidonBinding() {}

    /** Start to listen. */
    public static Listener listen(ListenOptions options, ExchangeHandler handler) {
        requireFree(options);
        WebServer server = WebServer.builder()
                .host(options.host())
                .port(options.port())
                .backlog(ListenOptions.BACKLOG)
                .shutdownHook(false)
                .shutdownGracePeriod(options.grace())
                .connectionOptions(connection -> connection
                        .socketSendBufferSize(ListenOptions.SEND_BUFFER)
                        .tcpNoDelay(true))
                .protocolsDiscoverServices(false)
                .addConnectionSelector(new HelidonConnections(options.readTime()))
                .directHandlers(rejections())
                .routing(routing -> routing.any((request, response) -> handle(options, handler, request, response)))
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

    /** Helidon logs a failure to listen with its stack trace, and does not throw it: so the address is tried before. */
    private static void requireFree(ListenOptions options) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(options.host(), options.port()));
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static void handle(
            ListenOptions options, ExchangeHandler handler, ServerRequest request, ServerResponse response) {
        try {
            HelidonExchange exchange = new HelidonExchange(request, response);
            handler.handle(exchange);
            if (!exchange.closes()) {
                readRest(request, options.readTime());
            }
            boolean last = exchange.closes() || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
            if (last) { // Helidon says so in its answer, and reads what follows as a request
                exchange.end();
                throw new CloseConnectionException("The connection has no more requests.");
            }
            HelidonConnection.current().answered();
        } catch (IOException e) {
            throw new CloseConnectionException("The client is gone.", e);
        }
    }

    /** Read what is left of a body that was rejected, as a client may look for the answer when it has sent everything. */
    private static void readRest(ServerRequest request, Duration time) throws IOException {
        if (request.content().consumed()) {
            return;
        }
        Deadline deadline = Deadline.within(time);
        try {
            request.content().consume(); // also if a part of it was read
        } catch (RuntimeException e) { // such as chunks that are none
            throw new IOException("The rest of the body did not arrive.", e);
        } finally {
            boolean ignored = deadline.end();
        }
    }

    /** Answer requests that Helidon cannot read like all others that are rejected. */
    private static DirectHandlers rejections() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
            handlers.addHandler(type, (request, event, status, headers, message) -> {
                boolean unread = !HelidonConnection.current().isLineRead(); // such as a method that cannot be one
                Reply.Whole answer = Rejection.of(unread && status.code() == 500 ? 400 : status.code());
                boolean isHead = request.method().equals("HEAD");
                return DirectHandler.TransportResponse.builder()
                        .status(Status.create(answer.status()))
                        .header(HeaderNames.CONTENT_TYPE, answer.mediaType())
                        .keepAlive(false)
                        .entity(isHead ? new byte[0] : Rejection.body(answer))
                        .build();
            });
        }
        return handlers.build();
    }
}
