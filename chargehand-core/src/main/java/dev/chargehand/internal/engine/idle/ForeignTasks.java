package dev.chargehand.internal.engine.idle;

import dev.chargehand.event.RunListener;
import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events that say how tasks stand: those of tasks that this process executes come from their threads, and of those that other
 * processes execute is read what the store has.
 */
final class ForeignTasks extends TaskArrivals {

    private final RunListener listener;
    private final Map<RunId, TreeWatch> watches = new HashMap<>();

    ForeignTasks(OtherProcesses others, IdleArrivals arrivals) {
        super(others, arrivals);
        this.listener = arrivals::putOfTask;
    }

    @Override
    RunListener listener() {
        return listener;
    }

    @Override
    void starts(RunId run, AgentPath path) {}

    /**
     * Put the events of others that were stored by now; this process puts those of the tasks that are its own. One that it has lost
     * to another process is read also while a call of it is still executed here, which may take any time.
     */
    @Override
    void read(List<RunRecord> attempts) {
        for (RunRecord run : attempts) {
            boolean isOver = arrivals.hasEnd(run.runId());
            if (isOver || others().owns(run)) {
                TreeWatch watch = watches.remove(run.runId());
                if (watch != null) {
                    watch.close();
                }
            } else if (run.status() != RunStatus.PENDING) {
                read(watches.computeIfAbsent(run.runId(), id -> others().watch(id, AgentPath.parse(run.path()))));
            }
        }
    }

    private void read(TreeWatch watch) {
        while (watch.hasStored()) {
            arrivals.putStored(watch.iterator().next());
        }
    }

    @Override
    void next() {}

    @Override
    void close() {}
}
