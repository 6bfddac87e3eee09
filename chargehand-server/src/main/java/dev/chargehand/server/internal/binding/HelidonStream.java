package dev.chargehand.server.internal.binding;

import io.helidon.common.socket.SocketWriterException;
import io.helidon.webserver.CloseConnectionException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The body of a response of Helidon, whose exceptions for a client that is gone are unchecked and of several types. */
final class HelidonStream extends OutputStream {

    @FunctionalInterface
    interface Write {
        void run() throws IOException;
    }

    private final OutputStream body;

    HelidonStream(OutputStream body) {
        this.body = body;
    }

    @Override
    public void write(int value) throws IOException {
        checked(() -> body.write(value));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        checked(() -> body.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        checked(body::flush);
    }

    @Override
    public void close() throws IOException {
        checked(body::close);
    }

    /** Write to a client, which may be gone. */
    static void checked(Write write) throws IOException {
        try {
            write.run();
        } catch (UncheckedIOException | CloseConnectionException | SocketWriterException e) {
            throw new IOException("The client is gone.", e);
        }
    }
}
