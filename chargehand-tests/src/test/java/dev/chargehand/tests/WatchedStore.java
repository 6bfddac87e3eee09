package dev.chargehand.tests;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.util.concurrent.CountDownLatch;

/** Lets a test wait until a run is released. */
final class WatchedStore extends ForwardingStore {

    final CountDownLatch released = new CountDownLatch(1);

    WatchedStore(Store store) {
        super(store);
    }

    @Override
    public void release(RunId root, long epoch) {
        super.release(root, epoch);
        released.countDown();
    }
}
