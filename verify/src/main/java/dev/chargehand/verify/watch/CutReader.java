package dev.chargehand.verify.watch;

import dev.chargehand.AgentRuntime;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.verify.harness.Tally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** A reader of one run that is cut after some events and resumes in any of the processes. Used by one thread. */
final class CutReader implements Runnable {

    private final List<AgentRuntime> processes;
    private final RunId run;
    private final IntSupplier cuts;
    private final SplittableRandom random;
    private final List<EventId> received = new ArrayList<>();
    private @Nullable Cursor cursor;
    private boolean over;

    /**
     * Make it.
     *
     * @param cuts after how many events it is cut next
     */
    CutReader(List<AgentRuntime> processes, RunId run, IntSupplier cuts, SplittableRandom random) {
        this.processes = processes;
        this.run = run;
        this.cuts = cuts;
        this.random = random;
    }

    @Override
    public void run() {
        boolean more = true;
        while (more && !over) {
            more = read(processes.get(random.nextInt(processes.size())), cuts.getAsInt());
        }
    }

    /** Read until the cut, and return whether it was one. */
    private boolean read(AgentRuntime process, int events) {
        int left = events;
        try (RunWatch watch = process.watch(run, cursor)) {
            for (RunEvent event : watch) {
                if (event.origin().id().isPresent()) {
                    received.add(event.origin().id().get());
                    cursor = Cursor.parse(watch.cursor().orElseThrow().toString());
                    over = event instanceof RunEvent.RunFinish && event.runId().equals(run);
                    left--;
                    if (left <= 0) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Compare what was received with what is stored. */
    void check(List<EventId> stored, Tally tally, String again) {
        tally.addCase();
        List<EventId> lost = new ArrayList<>(stored);
        lost.removeAll(new HashSet<>(received));
        if (!lost.isEmpty() || !over) {
            tally.addFault("lost", again + ": " + lost + " of " + run);
        }
        if (new HashSet<>(received).size() < received.size()) {
            tally.addFault("doubled", again + ": " + received + " of " + run);
        }
        if (!received.stream().sorted().toList().equals(received) || !stored.containsAll(received)) {
            tally.addFault("disordered", again + ": " + received + " of " + run);
        }
    }
}
