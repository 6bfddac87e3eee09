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
 * reads the run, so that a run that has ended by then is read from its first event on. The last 100 of all tenants are kept, each as long
 * as it has few events. Thread-safe.
 */
public final class FirstWatches {

    private static final int MOST = 100;

    private final LinkedHashMap<Key, TreeWatch> watches = new LinkedHashMap<>();

    private record Key(String tenantId, RunId runId) {

        static Key of(Engine engine, RunId runId) {
            return new Key(engine.environment().tenantId(), runId);
        }
    }

    /** Open the reader of a run of an engine that is about to start. */
    public void open(Engine engine, LocalRun run) {
        if (engine.store() instanceof InMemoryStore memory && memory.forgetsEndedRuns()) {
            TreeWatch.ofStarting(engine, run).ifPresent(watch -> keep(Key.of(engine, run.runId()), watch));
        }
    }

    /** Open the reader of a run that is about to be resumed again, if it was opened before and no caller has taken it. */
    public void reopen(Engine engine, LocalRun run) {
        TreeWatch before = removed(Key.of(engine, run.runId()));
        if (before != null) {
            before.close();
            open(engine, run);
        }
    }

    /** Return the reader of a run, once; nothing if it was not opened, is taken, or had too many events. */
    public Optional<TreeWatch> take(Engine engine, RunId runId) {
        return Optional.ofNullable(removed(Key.of(engine, runId))).filter(TreeWatch::claim);
    }

    private synchronized @Nullable TreeWatch removed(Key key) {
        return watches.remove(key);
    }

    private void keep(Key key, TreeWatch watch) {
        TreeWatch eldest = added(key, watch);
        if (eldest != null) {
            eldest.close();
        }
    }

    /** Add a reader, and return the one that is kept no more. */
    private synchronized @Nullable TreeWatch added(Key key, TreeWatch watch) {
        watches.put(key, watch);
        return watches.size() > MOST ? watches.pollFirstEntry().getValue() : null;
    }
}
