package dev.chargehand.verify.stores;

import dev.chargehand.store.Store;

/** A place that holds a store, which can be opened any number of times. */
public interface StorePlace {

    /** Opens the store; whoever opens it closes it. */
    Store open();

    /**
     * Returns what another process opens the store by.
     *
     * @throws UnsupportedOperationException if no other process can
     */
    String address();
}
