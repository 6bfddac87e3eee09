package dev.chargehand.verify.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What runs cost while their readers read. Used by one thread.
 *
 * @param times how long each took
 * @param heap what the process held when it had ended, in bytes
 */
public record RunCosts(Latencies times, List<Long> heap) {

    /**
     * How many bytes a reader that does not read may cost, in addition to the text of its run: one that reads from the store
     * has the conversation.
     */
    private static final long MOST_HELD = 2L * 1024 * 1024;

    /** Make one without runs. */
    public RunCosts() {
        this(new Latencies(), new ArrayList<>());
    }

    /**
     * Report by how much the runs with a reader that does not read differ, and whether it holds too much memory.
     *
     * @param text how many bytes the text of a run has
     */
    public static void compare(RunCosts without, RunCosts with, long text, Tally tally) {
        double before = without.times.percentileMillis(0.5);
        double after = with.times.percentileMillis(0.5);
        long held = Math.max(0, with.medianHeap() - without.medianHeap());
        tally.figure("without_ms", String.format(Locale.ROOT, "%.0f", before));
        tally.figure("with_ms", String.format(Locale.ROOT, "%.0f", after));
        tally.figure("ratio", String.format(Locale.ROOT, "%.3f", after / before));
        tally.figure("held_kib", held / 1024);
        tally.figure("text_kib", text / 1024);
        if (held > text + MOST_HELD) {
            tally.addFault("grows", held + " bytes are held for a reader that does not read");
        }
    }

    private long medianHeap() {
        List<Long> sorted = heap.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
