package dev.chargehand.server.internal.binding;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a connection receives, with a first request of HTTP/1.0 as one of HTTP/1.1 that is the last of its connection: Helidon reads no other
 * version, and health checks of proxies still send it. Used by one thread.
 */
final class FirstLine implements Supplier<byte @Nullable []> {

    private static final byte[] OLD = " HTTP/1.0\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AS_NEW = " HTTP/1.1\r\nConnection: close\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Supplier<byte @Nullable []> source;
    private boolean passed;
    private boolean old;

    /**
     * Make it.
     *
     * @param source returns what has arrived, or null at the end
     */
    FirstLine(Supplier<byte @Nullable []> source) {
        this.source = source;
    }

    /** Return whether the first request is one of HTTP/1.0. */
    boolean isOld() {
        return old;
    }

    @Override
    public byte @Nullable [] get() {
        if (passed) {
            return source.get();
        }
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        int end = -1;
        while (end < 0 && received.size() <= ListenOptions.HEADERS) {
            byte[] bytes = source.get();
            if (bytes == null) {
                break;
            }
            int before = received.size();
            received.writeBytes(bytes);
            end = endOfLine(bytes, before);
        }
        passed = true;
        byte[] all = received.toByteArray();
        return all.length == 0 ? null : asNew(all, end);
    }

    /** Return the index after the first line feed; negative if there is none. */
    private static int endOfLine(byte[] bytes, int before) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                return before + i + 1;
            }
        }
        return -1;
    }

    private byte[] asNew(byte[] all, int end) {
        int start = end - OLD.length;
        old = start > 0 && Arrays.equals(all, start, end, OLD, 0, OLD.length);
        if (!old) {
            return all;
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream(all.length + AS_NEW.length);
        request.write(all, 0, start);
        request.writeBytes(AS_NEW);
        request.write(all, end, all.length - end);
        return request.toByteArray();
    }
}
