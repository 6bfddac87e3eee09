package dev.chargehand.provider.stream;

import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * A reader of server-sent events from a stream of bytes, however they are cut.
 *
 * <p>As the standard has it: a byte order mark is skipped; lines end with LF, CR or CRLF; comments, ids and unknown
 * fields are ignored; data lines are joined. Different from it, data before a missing last blank line counts as an
 * event, because many servers omit that line; see {@link #isTerminated}.
 *
 * <p>An event's data stays in the buffer it was read into. The buffer grows with an event and shrinks after it, so that
 * a stream at rest holds 4 KB; a stream that has not started holds none. Close it to make its buffer reusable. Not
 * thread-safe.
 */
public final class SseReader implements AutoCloseable {

    private static final int SMALL = 4096;

    /** Buffers of streams that are over. */
    private static final ArrayBlockingQueue<byte[]> USED = new ArrayBlockingQueue<>(64);

    private static final int NONE = -1;
    private static final byte[] DATA = ascii("data");
    private static final byte[] EVENT = ascii("event");
    private static final byte[] ERROR = ascii("error");
    private static final byte[] DONE = ascii("[DONE]");

    private final InputStream in;
    private final WireLimits limits;
    private final ProviderFaults faults;

    private byte[] buffer = {};
    private int lineStart;
    private int position;
    private int end;
    private long total;

    /** The data of the current event is in the buffer from here, always before {@code lineStart}. */
    private int dataStart = NONE;

    private int dataEnd;
    private boolean error;
    private boolean terminated;
    private boolean firstLine = true;
    private boolean lineFeedMayFollow;
    private boolean ended;

    /** Make the reader of a body with the limits that every answer has. */
    public SseReader(InputStream in, ProviderFaults faults) {
        this(in, WireLimits.DEFAULT, faults);
    }

    public SseReader(InputStream in, WireLimits limits, ProviderFaults faults) {
        this.in = in;
        this.limits = limits;
        this.faults = faults;
    }

    /**
     * Go to the next event, waiting for it.
     *
     * @return false at the end of the stream
     * @throws dev.chargehand.error.ModelException if the event or the stream exceeds its limit
     */
    public boolean next() throws IOException {
        dataStart = NONE;
        error = false;
        terminated = true;
        giveBack();
        while (!ended) {
            int lineEnd = lineEnd();
            if (lineEnd == NONE) {
                ended = !fill();
            } else if (endOfEvent(lineEnd)) {
                return true;
            }
        }
        return lastWords();
    }

    /** End the reading; what it has read must not be looked at any more. */
    @Override
    public void close() {
        if (buffer.length == SMALL) {
            var unused = USED.offer(buffer);
        }
        buffer = new byte[0];
        ended = true;
        lineStart = 0;
        position = 0;
        end = 0;
        dataStart = NONE;
    }

    private static byte[] small() {
        byte[] used = USED.poll();
        return used == null ? new byte[SMALL] : used;
    }

    /** Return the buffer that contains the event, valid until the next event. */
    public byte[] buffer() {
        return buffer;
    }

    /** Return where the event's data starts in the buffer. */
    public int dataStart() {
        return dataStart;
    }

    /** Return how many bytes of data the event has. */
    public int dataLength() {
        return dataEnd - dataStart;
    }

    /** Return whether the event is of the type {@code error}. */
    public boolean isError() {
        return error;
    }

    /** Return whether the event ends the answer. */
    public boolean isDone() {
        return dataEnd - dataStart >= DONE.length && startsWith(dataStart, DONE);
    }

    /** Return whether the event was closed by a blank line; if not, the stream ended in it. */
    public boolean isTerminated() {
        return terminated;
    }

    /** Look at a line; true if it ends an event that has data. */
    private boolean endOfEvent(int lineEnd) {
        skipByteOrderMark(lineEnd);
        boolean blank = lineStart == lineEnd;
        if (!blank) {
            field(lineEnd);
        }
        lineStart = position;
        if (blank && dataStart == NONE) {
            error = false;
        }
        return blank && dataStart != NONE;
    }

    private int lineEnd() {
        if (lineFeedMayFollow && position < end) {
            lineFeedMayFollow = false;
            if (buffer[position] == '\n') {
                position++;
                lineStart = position;
            }
        }
        int at = LineEnds.first(buffer, position, end);
        if (at == end) {
            position = end;
            return NONE;
        }
        lineFeedMayFollow = buffer[at] == '\r';
        position = at + 1;
        return at;
    }

    private void field(int lineEnd) {
        if (isField(DATA, lineEnd)) {
            addData(valueStart(DATA, lineEnd), lineEnd);
        } else if (isField(ERROR, lineEnd)) {
            // A field of its own is how llama.cpp wrote errors until September 2025.
            addData(valueStart(ERROR, lineEnd), lineEnd);
            error = true;
        } else if (isField(EVENT, lineEnd)) {
            int value = valueStart(EVENT, lineEnd);
            error = lineEnd - value == ERROR.length && startsWith(value, ERROR);
        }
    }

    private boolean isField(byte[] name, int lineEnd) {
        int length = lineEnd - lineStart;
        return length >= name.length
                && startsWith(lineStart, name)
                && (length == name.length || buffer[lineStart + name.length] == ':');
    }

    private int valueStart(byte[] name, int lineEnd) {
        int start = Math.min(lineStart + name.length + 1, lineEnd);
        return start < lineEnd && buffer[start] == ' ' ? start + 1 : start;
    }

    private void addData(int from, int to) {
        if (dataStart == NONE) {
            dataStart = from;
            dataEnd = to;
        } else {
            buffer[dataEnd] = '\n';
            System.arraycopy(buffer, from, buffer, dataEnd + 1, to - from);
            dataEnd += 1 + to - from;
        }
        if (dataEnd - dataStart > limits.eventBytes()) {
            throw faults.tooLarge("an event of the answer", limits.eventBytes(), "bytes");
        }
    }

    private void skipByteOrderMark(int lineEnd) {
        if (firstLine) {
            firstLine = false;
            if (lineEnd - lineStart >= 3
                    && buffer[lineStart] == (byte) 0xEF
                    && buffer[lineStart + 1] == (byte) 0xBB
                    && buffer[lineStart + 2] == (byte) 0xBF) {
                lineStart += 3;
            }
        }
    }

    private boolean fill() throws IOException {
        if (buffer.length == 0) {
            buffer = small();
        }
        if (lineStart == end && dataStart == NONE) {
            lineStart = 0;
            position = 0;
            end = 0;
        } else if (end == buffer.length) {
            makeRoom();
        }
        int read = in.read(buffer, end, buffer.length - end);
        if (read < 0) {
            return false;
        }
        end += read;
        total += read;
        if (total > limits.responseBytes()) {
            throw faults.tooLarge("the answer", limits.responseBytes(), "bytes");
        }
        return true;
    }

    /** Move what is still needed to the front, into a larger buffer if that would be more than half of this one. */
    private void makeRoom() {
        int data = dataStart == NONE ? 0 : dataEnd - dataStart;
        int line = end - lineStart;
        int most = limits.eventBytes() + SMALL;
        byte[] target = buffer;
        if (data + line > buffer.length / 2) {
            if (data + line >= most) {
                throw faults.tooLarge("an event of the answer", limits.eventBytes(), "bytes");
            }
            target = new byte[Math.min(buffer.length * 2, Math.max(most, SMALL))];
        }
        if (dataStart != NONE) {
            System.arraycopy(buffer, dataStart, target, 0, data);
            dataStart = 0;
            dataEnd = data;
        }
        moveLine(target, data);
    }

    private void moveLine(byte[] target, int to) {
        System.arraycopy(buffer, lineStart, target, to, end - lineStart);
        end = to + end - lineStart;
        position = to + position - lineStart;
        lineStart = to;
        buffer = target;
    }

    /** Let go of a buffer that a large event needed. */
    private void giveBack() {
        if (buffer.length > SMALL && end - lineStart <= SMALL) {
            moveLine(small(), 0);
        }
    }

    private boolean lastWords() {
        if (lineStart < end) {
            position = end;
            endOfEvent(end);
        }
        terminated = false;
        return dataStart != NONE;
    }

    private boolean startsWith(int at, byte[] text) {
        if (end - at < text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (buffer[at + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
