package dev.chargehand.verify.races;

import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.util.List;

/** A store with changed texts of models: every slot is another. */
final class TamperedStore extends ForwardingStore {

    TamperedStore(Store store) {
        super(store);
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return super.read(runId, from).stream().map(TamperedStore::changed).toList();
    }

    private static FactEntry changed(FactEntry fact) {
        return fact.type().equals("answered")
                ? FactEntry.of(
                        fact.type(),
                        fact.version(),
                        fact.text().replace("\\\"slot\\\":\\\"a\\\"", "\\\"slot\\\":\\\"z\\\""))
                : fact;
    }
}
