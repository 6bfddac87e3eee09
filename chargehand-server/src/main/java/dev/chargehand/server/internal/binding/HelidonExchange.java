package dev.chargehand.server.internal.binding;

import dev.chargehand.server.internal.http.Exchange;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** A request to Helidon. Used by the thread of its connection. */
final class HelidonExchange implements Exchange {

    private static final String CLOSE = "close";

    private final ServerRequest request;
    private final ServerResponse response;
    private boolean bodyWanted;
    private boolean closes;

    HelidonExchange(ServerRequest request, ServerResponse response) {
        this.request = request;
        this.response = response;
    }

    /** Return whether the answer has ended the connection for a reason of the server; what is left of the body is of no use then. */
    boolean closes() {
        return closes;
    }

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
        bodyWanted = true;
        return request.content().inputStream();
    }

    @Override
    public void send(int status, Map<String, String> headers, byte[] body) throws IOException {
        start(status, headers);
        HelidonStream.checked(() -> {
            if (isHead()) {
                response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
                response.send();
            } else {
                response.send(body);
            }
        });
    }

    @Override
    public OutputStream stream(int status, Map<String, String> headers) throws IOException {
        HelidonConnection connection = HelidonConnection.current();
        if (connection.isOld()) {
            BodyToEnd body = new BodyToEnd(connection.dataWriter());
            HelidonStream.checked(() -> body.writeHead(Status.create(status), headers));
            return new HelidonStream(body);
        }
        start(status, headers);
        return new HelidonStream(response.outputStream());
    }

    /** Send the end of a streamed answer. Helidon does so only after a handler that has no exception, which is how a connection is closed. */
    void end() throws IOException {
        if (response instanceof RoutingResponse routed) {
            HelidonStream.checked(routed::commit);
        }
    }

    private void start(int status, Map<String, String> headers) {
        response.status(Status.create(status));
        headers.forEach((name, value) -> response.header(HeaderNames.create(name), value));
        boolean expected = request.headers().contains(HeaderNames.EXPECT) && !bodyWanted;
        if (expected) { // Helidon would ask for the body when what is left of it is read, after the answer
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        closes = expected || CLOSE.equals(headers.get("Connection"));
    }
}
