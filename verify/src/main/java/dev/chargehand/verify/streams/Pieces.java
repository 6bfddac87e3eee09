package dev.chargehand.verify.streams;

import java.io.IOException;
import java.io.InputStream;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Gives bytes in pieces, as a network does, and then ends or breaks. */
final class Pieces extends InputStream {

    private final byte[] bytes;
    private final boolean breaks;
    private final int longest;
    private final @Nullable SplittableRandom random;
    private int position;

    private Pieces(byte[] bytes, boolean breaks, int longest, @Nullable SplittableRandom random) {
        this.bytes = bytes;
        this.breaks = breaks;
        this.longest = longest;
        this.random = random;
    }

    /** Give as many bytes as are called for. */
    static InputStream whole(byte[] bytes, boolean breaks) {
        return new Pieces(bytes, breaks, Integer.MAX_VALUE, null);
    }

    /** Give one byte at a time. */
    static InputStream single(byte[] bytes, boolean breaks) {
        return new Pieces(bytes, breaks, 1, null);
    }

    /** Give pieces of any length up to one. */
    static InputStream random(byte[] bytes, boolean breaks, SplittableRandom random) {
        return new Pieces(bytes, breaks, 1 + random.nextInt(random.nextBoolean() ? 20 : 2_000), random);
    }

    @Override
    public int read() throws IOException {
        return position < bytes.length ? bytes[position++] & 0xFF : end();
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (position == bytes.length) {
            return end();
        }
        int piece = random == null ? longest : 1 + random.nextInt(longest);
        int count = Math.min(Math.min(piece, length), bytes.length - position);
        System.arraycopy(bytes, position, into, at, count);
        position += count;
        return count;
    }

    private int end() throws IOException {
        if (breaks) {
            throw new IOException("Connection reset");
        }
        return -1;
    }
}
