package dev.chargehand.internal.memory;

import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.store.memory.PassageHits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Adds the messages around found ones. Ranges of one thread that overlap become one; none goes beyond the end
 * of its thread, or into the run itself.
 *
 * @param thread the thread of the run
 * @param semantic how many messages to add
 * @param lengths returns the length of a thread
 */
record HitRanges(ThreadLink thread, SemanticRecall semantic, ToLongFunction<String> lengths) {

    /** Return the ranges of found messages, the best first. */
    List<RecalledRange> of(List<PassageHits.Hit> found) {
        List<RecalledRange> ranges = new ArrayList<>();
        for (PassageHits.Hit hit : found) {
            RecalledRange range = around(hit);
            for (RecalledRange other : List.copyOf(ranges)) {
                if (overlap(range, other)) {
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
        long end = hit.threadId().equals(thread.id()) ? thread.position() : lengths.applyAsLong(hit.threadId());
        return new RecalledRange(hit.threadId(), from, Math.min(to, end), hit.score());
    }

    private static boolean overlap(RecalledRange one, RecalledRange other) {
        return one.threadId().equals(other.threadId()) && one.from() < other.to() && other.from() < one.to();
    }

    private static RecalledRange both(RecalledRange one, RecalledRange other) {
        return new RecalledRange(
                one.threadId(),
                Math.min(one.from(), other.from()),
                Math.max(one.to(), other.to()),
                Math.max(one.score(), other.score()));
    }
}
