package dev.chargehand.verify.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class WorkflowsTest {

    @Test
    void randomWorkflowsEndAsTheirInterpreterSaysHoweverOftenTheirProcessDies() throws Exception {
        Tally tally = new WorkflowsHarness(new CaseOptions(300, 1)).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(300);
    }
}
