package dev.chargehand.store.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the messages that are nearest to the vector of a query while a store goes through the passages that may be found,
 * those said last first. It holds no more messages than the query asks for. Not thread-safe.
 */
public final class NearestMessages {

    private static final Comparator<Near> BEST_FIRST =
            Comparator.comparingDouble(Near::score).thenComparing(Near::message).reversed();

    private final PassageQuery query;
    private final Map<Message, Near> byMessage = new HashMap<>();
    private final TreeSet<Near> nearest = new TreeSet<>(BEST_FIRST);
    private int seen;

    /** Start a search. */
    public NearestMessages(PassageQuery query) {
        this.query = query;
    }

    /**
     * A message of a thread. A greater one is newer: it was said later or, if at the same moment, has the greater position.
     *
     * @param thread the number of its thread in the store
     * @param position its place in the thread, from 0
     * @param saidAt when it was said, in milliseconds since 1970
     */
    public record Message(long thread, long position, long saidAt) implements Comparable<Message> {

        private static final Comparator<Message> OLDEST_FIRST = Comparator.comparingLong(Message::saidAt)
                .thenComparingLong(Message::position)
                .thenComparingLong(Message::thread);

        @Override
        public int compareTo(Message other) {
            return OLDEST_FIRST.compare(this, other);
        }
    }

    /**
     * A message that is near.
     *
     * @param message the message
     * @param score the similarity of its best passage
     */
    public record Near(Message message, double score) {}

    /**
     * Look at the next passage.
     *
     * @param quantized its vector as it is stored
     * @return false if it is not looked at, because {@value PassageQuery#MOST_PASSAGES} have been
     */
    public boolean offer(Message message, byte[] quantized) {
        if (seen++ >= PassageQuery.MOST_PASSAGES) {
            return false;
        }
        double score = query.vector().similarity(quantized);
        Near before = byMessage.get(message);
        if (score >= query.threshold() && (before == null || before.score() < score)) {
            replace(before, new Near(message, score));
        }
        return true;
    }

    private void replace(@Nullable Near before, Near now) {
        if (before != null) {
            nearest.remove(before);
        }
        nearest.add(now);
        byMessage.put(now.message(), now);
        if (nearest.size() > query.most()) {
            byMessage.remove(nearest.removeLast().message());
        }
    }

    /** Return the nearest messages, best first; of equally near ones the newer first. */
    public List<Near> found() {
        return new ArrayList<>(nearest);
    }

    /** Return whether all passages that were offered have been looked at. */
    public boolean isComplete() {
        return seen <= PassageQuery.MOST_PASSAGES;
    }
}
