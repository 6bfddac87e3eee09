package dev.chargehand.provider.stream;

import java.io.InputStream;
import java.io.OutputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.util.RecyclerPool;

/**
 * A parser that reads one chunk after the other, of one answer and of others, since making one takes as long as most
 * chunks do: between two chunks it is in a pool, so that a stream at rest holds none.
 *
 * <p>Used by one thread at a time.
 */
final class ChunkParser implements RecyclerPool.WithPool<ChunkParser> {

    /** After so many bytes it is let go of, and with it what it keeps of the names it has seen. */
    private static final long MOST_BYTES = 1 << 20;

    private static final Pool POOL = new Pool();

    private final Input input = new Input();
    private final Rest rest = new Rest();
    private final JsonParser parser = WireJson.FACTORY.createParser(ObjectReadContext.empty(), input);

    /** Take one from the pool. A parser that threw, or is in the middle of a chunk, must not be returned. */
    static ChunkParser take() {
        return POOL.acquireAndLinkPooled();
    }

    /** Return the parser, before the first token of a chunk. */
    JsonParser on(byte[] chunk, int from, int length) {
        input.bytes = chunk;
        input.position = from;
        input.end = from + length;
        return parser;
    }

    /** Return whether anything but white space follows in the chunk, and pass over it. */
    boolean hasMore() {
        rest.isBlank = true;
        parser.releaseBuffered(rest);
        rest.write(input.bytes, input.position, input.end - input.position);
        return !rest.isBlank;
    }

    /** Give it back after a whole chunk. */
    @Override
    public void releaseToPool() {
        input.bytes = Input.NOTHING;
        input.position = 0;
        input.end = 0;
        if (input.total < MOST_BYTES) {
            POOL.releasePooled(this);
        } else {
            parser.close();
        }
    }

    @Override
    public ChunkParser withPool(RecyclerPool<ChunkParser> pool) {
        return this;
    }

    /** Has as many as are in use at once, which is about one for each processor, since none waits for anything. */
    private static final class Pool extends RecyclerPool.BoundedPoolBase<ChunkParser> {

        private static final long serialVersionUID = 1L;
        private static final int CAPACITY = 64;

        private Pool() {
            super(CAPACITY);
        }

        @Override
        public ChunkParser createPooled() {
            return new ChunkParser();
        }
    }

    /** The chunks as one input: each ends where the parser has to stop, but not the input. */
    private static final class Input extends InputStream {

        private static final byte[] NOTHING = {};

        private byte[] bytes = NOTHING;
        private int position;
        private int end;
        private long total;

        @Override
        public int read(byte[] into, int at, int most) {
            int length = Math.min(most, end - position);
            if (length <= 0) {
                return -1;
            }
            System.arraycopy(bytes, position, into, at, length);
            position += length;
            total += length;
            return length;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }
    }

    /** What the parser has not read of what it was given. */
    private static final class Rest extends OutputStream {

        private boolean isBlank;

        @Override
        public void write(int value) {
            isBlank &= value == ' ' || value == '\n' || value == '\r' || value == '\t';
        }

        @Override
        public void write(byte[] from, int at, int length) {
            for (int i = at; i < at + length; i++) {
                write(from[i]);
            }
        }
    }
}
