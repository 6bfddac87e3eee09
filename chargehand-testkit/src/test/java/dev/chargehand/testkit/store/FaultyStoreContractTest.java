package dev.chargehand.testkit.store;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;

/** A faulty store without faults is a store like any other. */
class FaultyStoreContractTest extends StoreContract {

    @Override
    protected Store open() {
        return FaultyStore.over(InMemoryStore.keepingEndedRuns());
    }
}
