package dev.chargehand.server.internal.binding;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Set;

/**
 * Makes each connection of Helidon one of HTTP/1.1 with a time limit. As the only selector of a server it has a connection before anything was
 * received on it; Helidon's own wait for a first line, without a limit, if a further protocol is on the class path. Thread-safe.
 */
final class HelidonConnections implements ServerConnectionSelector {

    private static final Http1ConnectionListener HEADS = new Http1ConnectionListener() {
        @Override
        public void prologue(ConnectionContext connection, HttpPrologue prologue) {
            HelidonConnection.current().lineArrived();
        }

        @Override
        public void headers(ConnectionContext connection, Headers headers) {
            HelidonConnection.current().headArrived();
        }
    };

    private final Http1ConnectionSelector http;
    private final Duration time;

    /**
     * Make it.
     *
     * @param time how long the head of a request may take
     */
    @SuppressWarnings("removal") // a release without the switch rejects health checks of HTTP/1.0 that name no host
    HelidonConnections(Duration time) {
        this.time = time;
        this.http = Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxHeadersSize(ListenOptions.HEADERS)
                        .maxPrologueLength(ListenOptions.HEADERS)
                        .validateRequestHostHeader(false) // the server knows its names, and answers with a problem
                        .addReceiveListener(HEADS)
                        .build())
                .build();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return 0;
    }

    @Override
    public Support supports(BufferData data) {
        return Support.SUPPORTED;
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext connection) {
        return http.connection(new HelidonConnection(connection, time));
    }
}
