package dev.chargehand.tests;

import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A store in which something happens right after the first append, before its caller hears of it. */
final class AfterFirstAppend extends ForwardingStore {

    private final Runnable what;
    private final AtomicBoolean done = new AtomicBoolean();

    AfterFirstAppend(Store store, Runnable what) {
        super(store);
        this.what = what;
    }

    @Override
    public Appended append(List<Append> appends) {
        Appended appended = super.append(appends);
        if (done.compareAndSet(false, true)) {
            what.run();
        }
        return appended;
    }
}
