package dev.chargehand.verify.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class ReleaseTest {

    @Test
    void theRunsOfATerminatedProcessAreFinishedByAnother() throws Exception {
        Tally tally = new ReleaseHarness(new CaseOptions(1, 7), StoreKind.SQLITE, 40).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isPositive();
    }
}
