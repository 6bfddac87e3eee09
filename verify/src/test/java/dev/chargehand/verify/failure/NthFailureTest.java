package dev.chargehand.verify.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sample of the harness of the same name, spread over all calls and ways to fail. */
class NthFailureTest {

    @ParameterizedTest
    @EnumSource(names = {"MEMORY", "SQLITE"})
    void whicheverCallFailsTheRunEndsOnceAndIsStoredAsItEnded(StoreKind store) throws Exception {
        Tally tally = new NthFailureHarness(new CaseOptions(60, 1), new StoreOption(store)).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(60);
    }
}
