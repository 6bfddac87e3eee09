package dev.chargehand.langchain4j.internal.wire;

import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads lines that are not blank from a stream of bytes, however they are cut. Not thread-safe. */
final class LineReader {

    private static final int SMALL = 4096;

    private final InputStream in;
    private final ProviderFaults faults;
    private byte[] buffer = new byte[SMALL];
    private int lineStart;
    private int lineEnd;
    private int position;
    private int end;
    private long total;
    private boolean terminated;

    LineReader(InputStream in, ProviderFaults faults) {
        this.in = in;
        this.faults = faults;
    }

    /** Go to the next line, waiting for it; false at the end of the stream. */
    boolean next() throws IOException {
        while (true) {
            lineStart = position;
            terminated = findEnd();
            if (!isBlank()) {
                return true;
            }
            if (!terminated) {
                return false;
            }
        }
    }

    byte[] buffer() {
        return buffer;
    }

    int start() {
        return lineStart;
    }

    int length() {
        return lineEnd - lineStart;
    }

    /** Return whether the line was closed; if not, the stream ended in it. */
    boolean isTerminated() {
        return terminated;
    }

    private boolean findEnd() throws IOException {
        while (true) {
            while (position < end) {
                if (buffer[position++] == '\n') {
                    lineEnd = position - 1;
                    return true;
                }
            }
            if (!fill()) {
                lineEnd = end;
                return false;
            }
        }
    }

    private boolean isBlank() {
        for (int i = lineStart; i < lineEnd; i++) {
            if (buffer[i] != ' ' && buffer[i] != '\t' && buffer[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private boolean fill() throws IOException {
        if (lineStart > 0) {
            System.arraycopy(buffer, lineStart, buffer, 0, end - lineStart);
            position -= lineStart;
            end -= lineStart;
            lineStart = 0;
        }
        if (end == buffer.length) {
            if (end > WireLimits.DEFAULT.eventBytes()) {
                throw faults.tooLarge("an event of the answer", WireLimits.DEFAULT.eventBytes(), "bytes");
            }
            buffer = Arrays.copyOf(buffer, end * 2);
        }
        int read = in.read(buffer, end, buffer.length - end);
        if (read < 0) {
            return false;
        }
        end += read;
        total += read;
        if (total > WireLimits.DEFAULT.responseBytes()) {
            throw faults.tooLarge("the answer", WireLimits.DEFAULT.responseBytes(), "bytes");
        }
        return true;
    }
}
