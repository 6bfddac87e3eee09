package dev.chargehand.verify.workflows;

import dev.chargehand.error.StoreException;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The store of a process that ends once an append has failed; a handle of its runs would else wait for another process. */
final class LastStore extends ForwardingStore {

    private final Runnable end;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Wrap a store; {@code end} lets the process end, on another thread. */
    LastStore(Store store, Runnable end) {
        super(store);
        this.end = end;
    }

    /** Return whether an append has failed. */
    boolean hasEnded() {
        return ended.get();
    }

    @Override
    public Appended append(List<Append> appends) {
        try {
            return super.append(appends);
        } catch (StoreException e) {
            if (e.retryable() && ended.compareAndSet(false, true)) {
                end.run();
            }
            throw e;
        }
    }
}
