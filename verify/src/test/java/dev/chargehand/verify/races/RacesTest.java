package dev.chargehand.verify.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class RacesTest {

    @Test
    void ofManyAnswersOneIsTakenAndItsEffectHappensOnce() throws Exception {
        Tally tally = new RacesHarness(new CaseOptions(150, 7), StoreKind.MEMORY, 1, 100).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(150);
    }

    @Test
    void ofManyAnswersInTwoProcessesOneIsTaken() throws Exception {
        Tally tally = new RacesHarness(new CaseOptions(20, 7), StoreKind.SQLITE, 2, 10).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(20);
    }
}
