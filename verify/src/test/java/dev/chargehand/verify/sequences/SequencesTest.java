package dev.chargehand.verify.sequences;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class SequencesTest {

    @Test
    void sequencesAreTheSameInMemoryAndOnSqlite() throws Exception {
        Tally tally = new SequencesHarness(new CaseOptions(1, 5), 70, StoreKind.SQLITE).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(1);
    }

    @Test
    void aListThatLosesARunIsNoticed() throws Exception {
        Tally tally = new SequencesHarness(new CaseOptions(1, 5), 20, StoreKind.SQLITE)
                .changing(LosingPlace::new)
                .run();
        assertThat(tally.faults()).anyMatch(fault -> fault.startsWith("different: --seed 5 --only 1 --operations 20"));
    }

    /** Opens stores that list one run less, if there are several. */
    private record LosingPlace(StorePlace place) implements StorePlace {

        @Override
        public Store open() {
            return new LosingStore(place.open());
        }

        @Override
        public String address() {
            return place.address();
        }
    }

    private static final class LosingStore extends ForwardingStore {

        LosingStore(Store store) {
            super(store);
        }

        @Override
        public List<RunRecord> list(RunFilter filter) {
            List<RunRecord> all = super.list(filter);
            return all.size() > 2 ? all.subList(0, all.size() - 1) : all;
        }
    }
}
