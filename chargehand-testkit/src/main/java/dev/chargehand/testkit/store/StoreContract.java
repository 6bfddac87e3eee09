package dev.chargehand.testkit.store;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.copy.ThreadCopyRules;
import dev.chargehand.testkit.store.memory.MemoryStoreRules;
import dev.chargehand.testkit.store.version.VersionRules;
import dev.chargehand.testkit.store.waiting.WaitingRules;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Proves a store: extend it, say how yours is opened, and run it with JUnit 6.
 *
 * <p>Each test gets a store that is empty and has no other user. A store that keeps what it holds when it is closed
 * extends {@link DurableStoreContract} instead. A store may delete ended runs; for these tests it must keep them.
 * For a store without {@link Store#memory}, {@link #hasMemory} returns false, and without {@link Store#versions}, {@link #hasVersions}.
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *     @Override protected Store open() { return new MyStore(); }
 * }
 * }</pre>
 */
public abstract class StoreContract
        implements AppendRules,
                DeletionRules,
                DueRules,
                OddTextRules,
                LargeTextRules,
                MemoryStoreRules,
                InboxRules,
                ListingRules,
                OwnershipRules,
                PendingRules,
                TaskRules,
                PruneRules,
                ThreadRules,
                ThreadChangeRules,
                ThreadCopyRules,
                TenantRules,
                TreeRules,
                ThreadTakingRules,
                VersionRules,
                WaitingRules,
                ConcurrencyRules {

    private @Nullable Store store;

    /**
     * Open the store: an empty one when it is called first in a test, and for a durable store the same one again when
     * it is called after the first was closed.
     *
     * @throws Exception if it cannot; the test fails
     */
    protected abstract Store open() throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    final void closeStore() {
        store().close();
    }

    /** Return the store that the running test is about. */
    @Override
    public final Store store() {
        Store open = store;
        assertNotNull(open, "The store is opened before each test.");
        return open;
    }

    final void openAgain() throws Exception {
        store().close();
        store = open();
    }
}
