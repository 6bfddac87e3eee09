package dev.chargehand.internal.memory;

import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.store.memory.PassageHits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Adds the messages around found ones. Ranges of one thread that overlap become one; none goes beyond the end
 * of its thread, over a deleted message, or into the run itself.
 *
 * @param thread the thread of the run
 * @param semantic how many messages to add
 * @param messages finds the messages of threads
 */
record HitRanges(ThreadLink thread, SemanticRecall semantic, Messages messages) {

    /** Finds messages of a thread. */
    @FunctionalInterface
    interface Messages {

        /** Return the positions of the messages that a thread has between two positions, the second one excluded. */
        Set<Long> positions(String threadId, long from, long to);
    }

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
        long first = Math.max(0, hit.position() - semantic.messagesBefore());
        long end = hit.position() + semantic.messagesAfter() + 1;
        long last = hit.threadId().equals(thread.id()) ? Math.min(end, thread.position()) : end;
        Set<Long> there = first < last ? messages.positions(hit.threadId(), first, last) : Set.of();
        long from = hit.position();
        long to = there.contains(from) ? from + 1 : from;
        while (from < to && there.contains(from - 1)) {
            from--;
        }
        while (from < to && there.contains(to)) {
            to++;
        }
        return new RecalledRange(hit.threadId(), from, to, hit.score());
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
