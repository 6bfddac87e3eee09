package dev.chargehand.verify.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sample of the harness of the same name. */
class WorkflowsTest {

    @ParameterizedTest
    @CsvSource({"MEMORY, 100", "SQLITE, 20"})
    void randomWorkflowsEndAsTheirInterpreterSaysHoweverOftenTheirProcessDies(StoreKind kind, int cases)
            throws Exception {
        Tally tally = new WorkflowsHarness(new CaseOptions(cases, 1), kind, false).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(cases);
    }

    @Test
    void twoProcessesThatAreStoppedAndKilledDoNothingTwice() throws Exception {
        Tally tally = new WorkflowsHarness(new CaseOptions(8, 8), StoreKind.SQLITE, true).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(8);
        assertThat(tally.line("workflows")).contains(" hung=0").doesNotContain("disturbed=0");
    }
}
