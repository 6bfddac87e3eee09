package dev.chargehand.testkit.store;

/**
 * Proves a store that keeps what it holds when it is closed: all of {@link StoreContract}, and that what was stored
 * exists when it is opened again.
 *
 * <pre>{@code
 * class MyStoreTest extends DurableStoreContract {
 *     @TempDir Path folder;
 *
 *     @Override protected Store open() { return new MyStore(folder.resolve("runs")); }
 * }
 * }</pre>
 */
public abstract class DurableStoreContract extends StoreContract implements DurabilityRules {

    @Override
    public final void reopen() throws Exception {
        openAgain();
    }
}
