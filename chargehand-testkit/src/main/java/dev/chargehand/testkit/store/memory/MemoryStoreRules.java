package dev.chargehand.testkit.store.memory;

/** All that a store keeps to for the memory of agents. */
public interface MemoryStoreRules
        extends VectorRules,
                VectorSearchRules,
                MemoryWorkRules,
                ThreadMemoryRules,
                WorkingMemoryRules,
                UnusedMemoryRules,
                ObservationRules,
                ObservationDeletionRules,
                MemoryDeletionRules,
                UsageRules,
                MemoryOwnerRules,
                MemoryConcurrencyRules {}
