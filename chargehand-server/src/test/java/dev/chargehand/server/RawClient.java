package dev.chargehand.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A client that sends what it wants, byte by byte. */
final class RawClient implements AutoCloseable {

    private static final int HUNG = 60_000;

    private final Socket socket;

    RawClient(ChargehandServer server) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
        socket.setSoTimeout(HUNG);
    }

    /** Send a text, each character of which is one byte. */
    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Send the end of everything, as a client that has no more requests. */
    RawClient end() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Read until the server closes the connection; what had arrived before a reset. Each byte is one character. */
    String readAll() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(read);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return read.toString(StandardCharsets.ISO_8859_1); // closed with something unread
        }
        return read.toString(StandardCharsets.ISO_8859_1);
    }

    /** Read until what was read ends with a text. */
    String readTo(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith(end)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("The connection has ended after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
