package dev.chargehand.cli.output;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Shows the progress of several runs at once, each line with the run it is about. Thread-safe. */
public final class SideBySide implements RunListener {

    private final Store store;
    private final PrintWriter to;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<RunId, RunId> roots = new HashMap<>(); // guarded by lock
    private final Map<RunId, ProgressLines> lines = new HashMap<>(); // guarded by lock

    /**
     * Make it.
     *
     * @param store where runs say what their root is
     */
    public SideBySide(Store store, PrintWriter to) {
        this.store = store;
        this.to = to;
    }

    @Override
    public void onEvent(RunEvent event) {
        lock.lock();
        try {
            RunId root = roots.computeIfAbsent(event.runId(), run -> root(event));
            lines.computeIfAbsent(root, id -> new ProgressLines(0))
                    .of(event)
                    .ifPresent(line -> to.println(root + line));
            to.flush();
        } finally {
            lock.unlock();
        }
    }

    private RunId root(RunEvent event) {
        return store.forTenant(event.tenantId())
                .find(event.runId())
                .map(RunRecord::rootRunId)
                .orElse(event.runId());
    }
}
