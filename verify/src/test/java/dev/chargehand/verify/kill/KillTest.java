package dev.chargehand.verify.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.CaseOptions;
import dev.chargehand.verify.StoreKind;
import dev.chargehand.verify.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class KillTest {

    @Test
    void aKilledRunLosesNothingRepeatsNothingAndEndsAsIfNothingHadHappened() throws Exception {
        Tally tally = new KillHarness(new CaseOptions(12, 7), StoreKind.SQLITE).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isGreaterThanOrEqualTo(12);
    }
}
