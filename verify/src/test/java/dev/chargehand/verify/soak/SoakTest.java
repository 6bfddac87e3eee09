package dev.chargehand.verify.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Slope;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name: too few runs to see a slope, enough to see that all of them end. */
class SoakTest {

    @Test
    void everyRunOfMixedTrafficEndsAsItShould() throws Exception {
        Tally tally = new SoakHarness(new CaseOptions(300, 7), new StoreOption()).run();
        assertThat(tally.faults()).noneMatch(fault -> fault.startsWith("hung") || fault.startsWith("wrong"));
        assertThat(tally.cases()).isEqualTo(300);
    }

    @Test
    void aSlopeIsHowMuchIsAddedWithEveryRun() {
        List<Sample> samples = List.of(
                new Sample(10, 1_000, 5, 0, 0, 0, 0),
                new Sample(20, 1_500, 5, 0, 0, 0, 0),
                new Sample(30, 2_000, 5, 0, 0, 0, 0));
        assertThat(Slope.of(samples, Sample::runs, Sample::heap)).isEqualTo(50);
        assertThat(Slope.of(samples, Sample::runs, Sample::threads)).isZero();
    }
}
