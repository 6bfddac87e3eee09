package dev.chargehand.verify.kill;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import dev.chargehand.verify.kill.KillPoint.Place;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A store whose writes are places to be killed at, and that tells of each that was acknowledged before its caller knows. */
record PlacedStore(Store store, Places places, Consumer<Append> onStored) implements Store {

    @Override
    public void append(Append append) {
        places.at(Place.BEFORE_APPEND);
        store.append(append);
        onStored.accept(append);
        places.at(Place.AFTER_APPEND);
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        places.at(Place.BEFORE_CLAIM);
        RunRecord claimed = store.claim(runId, expectedEpoch, expectedLength, owner);
        places.at(Place.AFTER_CLAIM);
        return claimed;
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return store.read(runId, from);
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return store.find(runId);
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return store.list(filter);
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        store.heartbeat(owner, timeToLive);
    }

    @Override
    public boolean isAlive(String owner) {
        return store.isAlive(owner);
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return store.findThread(threadId);
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return store.readThread(threadId, owner, before, last);
    }

    @Override
    public List<ThreadRecord> listThreads(String resourceId, int offset, int limit) {
        return store.listThreads(resourceId, offset, limit);
    }

    @Override
    public boolean deleteThread(String threadId, ThreadOwner owner) {
        return store.deleteThread(threadId, owner);
    }

    @Override
    public void close() {
        store.close();
    }
}
