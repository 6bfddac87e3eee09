package dev.chargehand.internal.engine.idle;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what the store has of tasks that other processes execute. Used by one thread. */
final class ForeignTasks {

    private final OtherProcesses others;
    private final IdleArrivals arrivals;
    private final Map<RunId, TreeWatch> watches = new HashMap<>();

    ForeignTasks(OtherProcesses others, IdleArrivals arrivals) {
        this.others = others;
        this.arrivals = arrivals;
    }

    /**
     * Put their events that were stored by now; this process puts those of the tasks that are its own. One that it has lost to another
     * process is read also while a call of it is still executed here, which may take any time.
     */
    void read(List<RunRecord> attempts) {
        for (RunRecord run : attempts) {
            boolean isOver = arrivals.hasEnd(run.runId());
            if (isOver || others.owns(run)) {
                TreeWatch watch = watches.remove(run.runId());
                if (watch != null) {
                    watch.close();
                }
            } else if (run.status() != RunStatus.PENDING) {
                read(watches.computeIfAbsent(run.runId(), id -> others.watch(run)));
            }
        }
    }

    /**
     * Return whether this process has executed one of some tasks, and has not left it: its last events are to come. A task that it
     * has lost to another process is not waited for; a store that has forgotten one has it from this process.
     */
    boolean areToCome(SeenTasks tasks, List<RunRecord> attempts) {
        Map<RunId, RunRecord> stored = attempts.stream().collect(toMap(RunRecord::runId, identity()));
        return tasks.anyRun(id -> {
            RunRecord run = stored.get(id);
            return others.isAtWork(id) && (run == null || others.owns(run));
        });
    }

    private void read(TreeWatch watch) {
        while (watch.hasStored()) {
            arrivals.putStored(watch.iterator().next());
        }
    }
}
