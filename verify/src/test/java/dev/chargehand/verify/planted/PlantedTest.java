package dev.chargehand.verify.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** The harness of the same name, whole. */
class PlantedTest {

    /** That the tests pass without a bug is seen by the build itself. */
    @Test
    void everyBugIsSeen() throws Exception {
        Tally tally = new PlantedHarness(new CaseOptions(PlantedBug.all().size(), 1), false).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(26);
    }
}
