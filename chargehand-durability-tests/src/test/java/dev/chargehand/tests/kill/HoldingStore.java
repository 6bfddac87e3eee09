package dev.chargehand.tests.kill;

import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.util.List;
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
    public Appended append(List<Append> all) {
        int number = appends.incrementAndGet();
        moment.reach("before-append-" + number);
        Appended appended = super.append(all);
        moment.reach("after-append-" + number);
        return appended;
    }
}
