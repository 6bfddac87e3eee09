package dev.chargehand.testkit.store.memory;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;

/** A test about the memory of a store. */
interface HasMemory {

    /** Return the store that the running test is about. */
    Store store();

    /** Return whether the store has a memory; for one that has none, the rules of memory are skipped. */
    default boolean hasMemory() {
        return true;
    }

    /** Return the memory of the store. */
    default MemoryStore memory() {
        assumeTrue(hasMemory(), "The store has no memory.");
        return store().memory().orElseThrow();
    }
}
