package dev.chargehand.verify.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sample of the harness of the same name. */
class InboxTest {

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void whatTwoProcessesSendIsReceivedOnceWhileSiblingsAreExecutedAndRunsEnd(StoreKind kind) throws Exception {
        Tally tally = new InboxHarness(70, kind).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(70);
    }
}
