package dev.chargehand.internal.journal;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A store whose every call ends within a limit, with a typed error if need be, whatever the store behind it does. */
public final class BoundedStore implements Store {

    private final Store store;
    private final Callouts callouts;
    private final Duration limit;

    private BoundedStore(Store store, Callouts callouts, Duration limit) {
        this.store = store;
        this.callouts = callouts;
        this.limit = limit;
    }

    /** Bounds a store; the one in memory never waits and is returned as it is. */
    public static Store over(Store store, Callouts callouts, Duration limit) {
        return store instanceof InMemoryStore ? store : new BoundedStore(store, callouts, limit);
    }

    @Override
    public void append(Append append) {
        run("append to run " + append.runId(), () -> {
            store.append(append);
            return null;
        });
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return run("read run " + runId, () -> store.read(runId, from));
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return run("find run " + runId, () -> store.find(runId));
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return run("list runs", () -> store.list(filter));
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return run("claim run " + runId, () -> store.claim(runId, expectedEpoch, expectedLength, owner));
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        run("heartbeat", () -> {
            store.heartbeat(owner, timeToLive);
            return null;
        });
    }

    @Override
    public boolean isAlive(String owner) {
        return run("look for an owner", () -> store.isAlive(owner));
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return run("find a thread", () -> store.findThread(threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return run("read a thread", () -> store.readThread(threadId, owner, before, last));
    }

    @Override
    public List<ThreadRecord> listThreads(String resourceId, int offset, int size) {
        return run("list threads", () -> store.listThreads(resourceId, offset, size));
    }

    @Override
    public boolean deleteThread(String threadId, ThreadOwner owner) {
        return run("delete a thread", () -> store.deleteThread(threadId, owner));
    }

    @Override
    public void close() {
        run("close", () -> {
            store.close();
            return null;
        });
    }

    private <T extends @Nullable Object> T run(String what, Callable<T> call) {
        try {
            return callouts.call("store: " + what, limit, new Cancellation(), call);
        } catch (Callouts.TimedOut e) {
            throw new StoreException(
                    StoreException.Kind.TIMEOUT,
                    "The store took longer than " + limit + " to " + what + "; look at the store, then resume the run.",
                    e);
        } catch (Callouts.Threw e) {
            if (e.thrown() instanceof ChargehandException typed) {
                throw typed;
            }
            throw new StoreException(StoreException.Kind.FAILED, "The store failed to " + what + ".", e.thrown());
        }
    }
}
