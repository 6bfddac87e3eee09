package dev.chargehand.server.internal.binding;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.http.Status;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The body of a response to a request of HTTP/1.0, which ends with its connection. Helidon has only bodies in chunks. */
final class BodyToEnd extends OutputStream {

    private final DataWriter connection;

    BodyToEnd(DataWriter connection) {
        this.connection = connection;
    }

    /** Send the head of the response. */
    void writeHead(Status status, Map<String, String> headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(status.code())
                .append(' ')
                .append(status.reasonPhrase())
                .append("\r\nConnection: close\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value});
    }

    @Override
    public void write(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        connection.writeNow(BufferData.create(bytes, offset, length));
    }
}
