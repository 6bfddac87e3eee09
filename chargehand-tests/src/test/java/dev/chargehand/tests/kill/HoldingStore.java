package dev.chargehand.tests.kill;

import dev.chargehand.store.Append;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose process waits to be killed right before or right after one of its appends. */
final class HoldingStore extends ForwardingStore {

    private final Moment moment;
    private final AtomicInteger appends = new AtomicInteger();

    HoldingStore(Store store, Moment moment) {
        super(store);
        this.moment = moment;
    }

    @Override
    public void append(Append append) {
        int number = appends.incrementAndGet();
        moment.reach("before-append-" + number);
        super.append(append);
        moment.reach("after-append-" + number);
    }
}
