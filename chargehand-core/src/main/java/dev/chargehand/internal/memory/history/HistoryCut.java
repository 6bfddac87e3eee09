package dev.chargehand.internal.memory.history;

import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.MemoryStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides from where on a run sees its thread, if tokens are its bound. The place is stored with the thread, and moves on only
 * when the messages from there on have too many tokens: then until {@value #LEFT} % of the bound are left. It reads backwards,
 * and no more than what the run may see.
 */
public final class HistoryCut {

    private static final int LEFT = 75;
    private static final int PAGE = 50;

    private final Store store;
    private final ThreadLink thread;
    private final long most;
    private final long left;

    /** The tokens of the messages that were read so far, from the end of the thread. */
    private long tokens;

    /** The first of the newest messages that fit what is left after a cut; a result does not start without its call. */
    private long start;

    /** The same for what fits at all, as long as it is one message, or a call with its results. */
    private @Nullable Long newest;

    private HistoryCut(Store store, ThreadLink thread, int most) {
        this.store = store;
        this.thread = thread;
        this.most = most;
        this.left = (long) most * LEFT / 100;
        this.start = thread.position();
    }

    /**
     * Return the position of the first message that a run may see, and store it if it is new.
     *
     * @param moves whether it may be stored; a run that only reads leaves it
     * @return null if tokens are no bound
     */
    public static @Nullable Long of(Store store, ThreadLink thread, HistoryBounds bounds, boolean moves) {
        if (bounds.tokens().isEmpty()) {
            return null;
        }
        int most = bounds.tokens().getAsInt();
        MemoryStore memory = store.memory().orElseThrow();
        long stored = Math.min(thread.position(), memory.historyFrom(thread.owner(), thread.id(), most));
        HistoryCut cut = new HistoryCut(store, thread, most);
        if (cut.fits(stored, bounds.lastMessages())) {
            return stored;
        }
        long next = cut.start();
        if (moves) {
            memory.moveHistory(thread.owner(), thread.id(), most, next);
        }
        return next;
    }

    /** Read backwards until the tokens are too many, or there are no more messages that the run may see. */
    private boolean fits(long from, int lastMessages) {
        long before = thread.position();
        int said = 0;
        while (before > from && said < lastMessages) {
            int count = (int) Math.min(PAGE, before - from);
            List<ThreadEntry> page =
                    store.readThread(thread.id(), thread.owner(), before, count).reversed();
            for (ThreadEntry entry : page) {
                Message message = MessageCodec.read(entry.text());
                if (said == lastMessages || entry.position() < from) {
                    return true;
                }
                if (!Transcript.holdsScores(message)) {
                    said++;
                    add(entry.position(), message);
                }
                if (tokens > most) {
                    return false;
                }
                before = entry.position();
            }
            if (page.size() < count) {
                return true; // the rest was deleted
            }
        }
        return true;
    }

    private void add(long position, Message message) {
        tokens += TokenLimiter.estimate(message);
        boolean starts = message.role() != Role.TOOL;
        if (starts && tokens <= left) {
            start = position;
        }
        if (starts && newest == null) {
            newest = tokens <= most ? position : thread.position();
        }
    }

    private long start() {
        return start == thread.position() && newest != null ? newest : start;
    }
}
