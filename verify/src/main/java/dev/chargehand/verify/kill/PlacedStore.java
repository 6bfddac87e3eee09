package dev.chargehand.verify.kill;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.verify.kill.KillPoint.Place;
import java.util.function.Consumer;

/**
 * A store whose writes are places to be killed at, and that reports each that was acknowledged before its caller knows.
 */
final class PlacedStore extends ForwardingStore {

    private final Places places;
    private final Consumer<Append> onStored;

    PlacedStore(Store store, Places places, Consumer<Append> onStored) {
        super(store);
        this.places = places;
        this.onStored = onStored;
    }

    @Override
    public void append(Append append) {
        places.at(Place.BEFORE_APPEND);
        places.writing(() -> {
            super.append(append);
            onStored.accept(append);
            return append;
        });
        places.at(Place.AFTER_APPEND);
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        places.at(Place.BEFORE_CLAIM);
        RunRecord claimed = places.writing(() -> super.claim(runId, expectedEpoch, expectedLength, owner));
        places.at(Place.AFTER_CLAIM);
        return claimed;
    }
}
