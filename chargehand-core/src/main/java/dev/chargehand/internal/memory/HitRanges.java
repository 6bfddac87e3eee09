package dev.chargehand.internal.memory;

import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.store.memory.PassageHits;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the messages around found ones. Ranges of one thread that touch each other become one; none goes beyond the end
 * of its thread, or into the run itself.
 *
 * @param thread the thread of the run
 * @param semantic how many messages to add
 * @param ends finds the ends of threads
 */
record HitRanges(ThreadLink thread, SemanticRecall semantic, Ends ends) {

    /** Finds where a thread ends. */
    @FunctionalInterface
    interface Ends {

        /** Return where a range ends: at the end of the thread, if it goes beyond that. */
        long of(ThreadLink run, String threadId, long from, long to);
    }

    /** Return the ranges of found messages, the best first. */
    List<RecalledRange> of(List<PassageHits.Hit> found) {
        List<RecalledRange> ranges = new ArrayList<>();
        for (PassageHits.Hit hit : found) {
            RecalledRange range = around(hit);
            for (RecalledRange other : List.copyOf(ranges)) {
                if (touch(range, other)) {
                    ranges.remove(other);
                    range = both(range, other);
                }
            }
            if (range.from() < range.to()) {
                ranges.add(range);
            }
        }
        ranges.sort((one, two) -> Double.compare(two.score(), one.score()));
        return ranges;
    }

    private RecalledRange around(PassageHits.Hit hit) {
        long from = Math.max(0, hit.position() - semantic.messagesBefore());
        long to = hit.position() + semantic.messagesAfter() + 1;
        long end = hit.threadId().equals(thread.id()) ? Math.min(to, thread.position()) : to;
        return new RecalledRange(
                hit.threadId(), from, ends.of(thread, hit.threadId(), from, Math.max(from, end)), hit.score());
    }

    private static boolean touch(RecalledRange one, RecalledRange other) {
        return one.threadId().equals(other.threadId()) && one.from() <= other.to() && other.from() <= one.to();
    }

    private static RecalledRange both(RecalledRange one, RecalledRange other) {
        return new RecalledRange(
                one.threadId(),
                Math.min(one.from(), other.from()),
                Math.max(one.to(), other.to()),
                Math.max(one.score(), other.score()));
    }
}
