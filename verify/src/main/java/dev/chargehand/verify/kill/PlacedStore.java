package dev.chargehand.verify.kill;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.verify.kill.KillPoint.Place;
import java.util.List;
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
    public Appended append(List<Append> appends) {
        places.at(Place.BEFORE_APPEND);
        Appended appended = places.writing(() -> {
            Appended stored = super.append(appends);
            appends.forEach(onStored);
            return stored;
        });
        places.at(Place.AFTER_APPEND);
        return appended;
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        places.at(Place.BEFORE_CLAIM);
        RunRecord claimed = places.writing(() -> super.claim(runId, expectedEpoch, expectedLength, owner));
        places.at(Place.AFTER_CLAIM);
        return claimed;
    }
}
