package dev.chargehand.verify.cancel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sample of the harness of the same name; how long it takes is for the command to say. */
class CancelTest {

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "SQLITE"})
    void everyCancelledRunEndsAsCancelledAndLeavesNothing(StoreKind store) throws Exception {
        Tally tally = new CancelHarness(new CaseOptions(30, 7), new StoreOption(store), 0).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(30);
    }
}
