package dev.chargehand.verify.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class MemoryTest {

    @Test
    void killedProcessesLoseAndRepeatNothingAndMixNoOwners() throws Exception {
        Tally tally = new MemoryHarness(24, 7, StoreKind.SQLITE).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(24 + 6 + 6 + 8);
    }
}
