package dev.chargehand.internal.engine.watch;

import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The readers of runs whose store forgets them when they end: each is opened before its run starts and given to the first caller that
 * reads the run, so that a run that has ended by then is read from its first event on. The last 100 are kept, each as long as it has few
 * events. Thread-safe.
 */
public final class FirstWatches {

    private static final int MOST = 100;

    private final Engine engine;
    private final LinkedHashMap<RunId, TreeWatch> watches = new LinkedHashMap<>();

    /** Make it for a tenant. */
    public FirstWatches(Engine engine) {
        this.engine = engine;
    }

    /** Open the reader of a run that is about to start. */
    public void open(LocalRun run) {
        if (engine.store() instanceof InMemoryStore memory && memory.forgetsEndedRuns()) {
            TreeWatch.ofStarting(engine, run).ifPresent(watch -> keep(run.runId(), watch));
        }
    }

    /** Return the reader of a run, once; nothing if it was not opened, is taken, or had too many events. */
    public Optional<TreeWatch> take(RunId runId) {
        return Optional.ofNullable(removed(runId)).filter(TreeWatch::claim);
    }

    private synchronized @Nullable TreeWatch removed(RunId runId) {
        return watches.remove(runId);
    }

    private synchronized void keep(RunId runId, TreeWatch watch) {
        watches.put(runId, watch);
        if (watches.size() > MOST) {
            TreeWatch eldest = watches.pollFirstEntry().getValue();
            eldest.close();
        }
    }
}
