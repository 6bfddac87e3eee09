package dev.chargehand.verify.kill;

import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.verify.kill.KillPoint.Place;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store that fails for a while, as the point says: from an append on, and for some calls after it. Of a full disk, only
 * what writes fails. Thread-safe.
 */
final class FailingStore extends ForwardingStore {

    private static final int MOST_CALLS = 25;

    private final KillPoint point;
    private final Runnable onOutage;
    private final AtomicInteger appends = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();

    /**
     * Make the store.
     *
     * @param onOutage hears when it starts to fail
     */
    FailingStore(Store store, KillPoint point, Runnable onOutage) {
        super(store);
        this.point = point;
        this.onOutage = onOutage;
    }

    @Override
    public Appended append(List<Append> all) {
        if (!point.isOutage() || appends.incrementAndGet() != point.nth()) {
            write();
            return super.append(all);
        }
        left.set(1 + point.nth() * 7 % MOST_CALLS);
        if (point.place() == Place.OUTAGE_UNKNOWN) {
            super.append(all);
            onOutage.run();
            throw new StoreException(StoreException.Kind.TIMEOUT, "Planned: nobody knows.", null);
        }
        onOutage.run();
        throw failure();
    }

    private void write() {
        if (left.get() > 0 && left.getAndDecrement() > 0) {
            throw failure();
        }
    }

    private void read() {
        if (point.place() != Place.DISK_FULL) {
            write();
        }
    }

    private StoreException failure() {
        return new StoreException(StoreException.Kind.FAILED, "Planned: " + point.place() + ".", null);
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        write();
        return super.claim(runId, expectedEpoch, expectedLength, owner);
    }

    @Override
    public void release(RunId root, long epoch) {
        write();
        super.release(root, epoch);
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        write();
        super.heartbeat(owner, timeToLive);
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        read();
        return super.read(runId, from);
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        read();
        return super.find(runId);
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        read();
        return super.list(filter);
    }
}
