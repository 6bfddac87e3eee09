package dev.chargehand.verify.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class StreamsTest {

    @Test
    void noStreamHangsCrashesRepeatsItselfOrRunsATool() throws Exception {
        Tally tally = new StreamsHarness(new CaseOptions(5_000, 7), 100).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(5_000);
    }

    @Test
    void aDamagedFactIsAFactOrUnreadable() throws Exception {
        Tally tally = new FactsHarness(new CaseOptions(5_000, 7)).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(5_000);
    }
}
