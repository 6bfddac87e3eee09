package dev.chargehand.verify.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class WatchTest {

    @Test
    void aReaderThatIsCutReceivesEveryEventOnceAndInOrder() throws Exception {
        Tally tally = new WatchHarness(new CaseOptions(100, 7), StoreKind.SQLITE, 3).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isGreaterThanOrEqualTo(100);
    }
}
