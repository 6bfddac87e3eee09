package dev.chargehand.verify.stores;

import dev.chargehand.store.Store;

/** A place that holds a store, which can be opened any number of times. */
public interface StorePlace {

    /** Open the store; the caller that opens it closes it. */
    Store open();

    /**
     * Return what another process opens the store by.
     *
     * @throws UnsupportedOperationException if no other process can
     */
    String address();
}
