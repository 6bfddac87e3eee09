package dev.chargehand.testkit.store;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;

class InMemoryStoreTest extends StoreContract {

    @Override
    protected Store open() {
        return InMemoryStore.keepingEndedRuns();
    }
}
