package dev.chargehand.server.internal.binding;

import dev.chargehand.server.internal.http.Exchange;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** A request to Helidon. */
record HelidonExchange(ServerRequest request, ServerResponse response) implements Exchange {

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
        } catch (UncheckedIOException | CloseConnectionException | SocketWriterException e) {
            throw new IOException("The client is gone.", e);
        }
    }

    @Override
    public OutputStream stream(int status, Map<String, String> headers) throws IOException {
        HelidonConnection connection = HelidonConnection.current();
        if (connection.isOld()) {
            return new HelidonStream(BodyToEnd.start(connection.dataWriter(), Status.create(status), headers));
        }
        start(status, headers);
        return new HelidonStream(response.outputStream());
    }

    private void start(int status, Map<String, String> headers) {
        response.status(Status.create(status));
        headers.forEach((name, value) -> response.header(HeaderNames.create(name), value));
    }
}
