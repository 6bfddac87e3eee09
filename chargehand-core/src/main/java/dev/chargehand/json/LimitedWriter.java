package dev.chargehand.json;

import java.io.IOException;
import java.io.Writer;

/** Keeps the start of what is written, and lets no more be written than that. Used by one thread. */
final class LimitedWriter extends Writer {

    private final StringBuilder text = new StringBuilder();
    private final int most;
    private boolean full;

    LimitedWriter(int most) {
        this.most = most;
    }

    /** Return whether more was to be written. */
    boolean isFull() {
        return full;
    }

    String text() {
        return text.toString();
    }

    @Override
    public void write(char[] characters, int from, int length) throws IOException {
        int room = Math.min(length, most - text.length());
        text.append(characters, from, room);
        if (room < length) {
            full = true;
            throw new IOException("More than " + most + " characters.");
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
