package dev.chargehand.verify.spin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name; how late a limit may be is for the command to say. */
class SpinTest {

    @Test
    void everyLimitEndsItsRunAndOtherRunsFinish() throws Exception {
        Tally tally = new SpinHarness(new CaseOptions(3, 7), new StoreOption(StoreKind.SQLITE), 20_000).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(3);
        assertThat(tally.line("spin")).startsWith("spin: tools=8 late=0 starved=0 n=3 ");
    }
}
