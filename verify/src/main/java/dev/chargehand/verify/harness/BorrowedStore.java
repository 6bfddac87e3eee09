package dev.chargehand.verify.harness;

import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;

/** A store that stays open when a runtime closes it. */
final class BorrowedStore extends ForwardingStore {

    BorrowedStore(Store store) {
        super(store);
    }

    @Override
    public void close() {
        // Whoever opened it closes it.
    }
}
