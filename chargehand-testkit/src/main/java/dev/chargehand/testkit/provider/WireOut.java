package dev.chargehand.testkit.provider;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Gathers the bytes of one reply and hands them to the socket; rejects once the connection is over. */
final class WireOut {
    private static final int FULL = 32 * 1024;

    private final OutputStream socket;
    private final int writeBytes;
    private final Exchange exchange;
    private byte[] buffer = new byte[2048];
    private int size;

    WireOut(OutputStream socket, int writeBytes, Exchange exchange) {
        this.socket = socket;
        this.writeBytes = writeBytes;
        this.exchange = exchange;
    }

    /** Large arrays are not copied, but for a last byte that waits: so there is a write that can be called the last. */
    void write(byte[] bytes, int from, int length) throws IOException {
        int direct = length >= FULL ? length - 1 : 0;
        if (direct > 0) {
            flush();
            send(bytes, from, direct);
        }
        gather(bytes, from + direct, length - direct);
        if (size >= FULL) {
            flush();
        }
    }

    private void gather(byte[] bytes, int from, int length) {
        if (size + length > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(size + length, buffer.length * 2));
        }
        System.arraycopy(bytes, from, buffer, size, length);
        size += length;
    }

    void flush() throws IOException {
        int length = size;
        size = 0;
        send(buffer, 0, length);
    }

    private void send(byte[] bytes, int from, int length) throws IOException {
        int portion = writeBytes == 0 ? FULL : writeBytes;
        for (int done = 0; done < length; done += portion) {
            if (exchange.connection().isOver()) {
                throw new IOException("the connection is over");
            }
            int count = Math.min(portion, length - done);
            exchange.writing(count);
            socket.write(bytes, from + done, count);
        }
    }
}
