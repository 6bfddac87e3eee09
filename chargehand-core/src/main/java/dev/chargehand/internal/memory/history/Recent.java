package dev.chargehand.internal.memory.history;

import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import java.util.ArrayList;
import java.util.List;

/**
 * The last messages of a part of a thread, read from its end. No more is read than what is asked for needs, and nothing twice. Used by
 * one thread.
 */
public final class Recent {

    private static final int FIRST_PAGE = 50;
    private static final int LARGEST_PAGE = 400;

    private final Store store;
    private final ThreadOwner owner;
    private final String threadId;
    private final long from;
    private final long to;

    /** What was read, the last message first. */
    private final List<Read> read = new ArrayList<>();

    private long before;
    private int page = FIRST_PAGE;

    private record Read(long position, Message message) {

        private long tokens() {
            return Transcript.holdsScores(message) ? 0 : TokenLimiter.estimate(message);
        }
    }

    /**
     * Make it for the messages of a thread from one position to another.
     *
     * @param to the position after the last one
     */
    public Recent(Store store, ThreadOwner owner, String threadId, long from, long to) {
        this.store = store;
        this.owner = owner;
        this.threadId = threadId;
        this.from = Math.min(from, to);
        this.to = to;
        this.before = to;
    }

    /** Return how many tokens the messages have; if they are more than a number, not all are counted. */
    public long tokens(long most) {
        long tokens = 0;
        for (int i = 0; tokens <= most && isThere(i); i++) {
            tokens += read.get(i).tokens();
        }
        return tokens;
    }

    /**
     * Return from where on the messages have at most so many tokens: the position of a message, which does not hold results of calls, or the
     * end of the part if the last message alone has more.
     */
    public long startOfLast(long most) {
        long start = to;
        long tokens = 0;
        for (int i = 0; isThere(i); i++) {
            tokens += read.get(i).tokens();
            if (tokens > most) {
                return start;
            }
            if (read.get(i).message().role() != Role.TOOL) {
                start = read.get(i).position();
            }
        }
        return start;
    }

    /** Return the messages from a position on. */
    public List<Message> messages(long start) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; isThere(i) && read.get(i).position() >= start; i++) {
            messages.add(read.get(i).message());
        }
        return messages.reversed();
    }

    /** Read on until there is one more message, if there is. */
    private boolean isThere(int index) {
        while (read.size() <= index && before > from) {
            List<ThreadEntry> entries = store.readThread(threadId, owner, before, (int) Math.min(page, before - from));
            for (ThreadEntry entry : entries.reversed()) {
                if (entry.position() >= from) {
                    read.add(new Read(entry.position(), MessageCodec.read(entry.text())));
                }
            }
            before = entries.isEmpty() ? from : entries.getFirst().position(); // what is before was deleted
            page = Math.min(2 * page, LARGEST_PAGE);
        }
        return index < read.size();
    }
}
