package dev.chargehand.verify.stores;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;

/** A store in this process: the caller that opens it gets the same one, and closing it changes nothing. */
final class MemoryPlace implements StorePlace {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    @Override
    public Store open() {
        return store;
    }

    @Override
    public String address() {
        throw new UnsupportedOperationException("A store in memory cannot be opened by another process.");
    }
}
