package dev.chargehand.verify.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import org.junit.jupiter.api.Test;

/** A sample of the harness of the same name. */
class TasksTest {

    @Test
    void aConversationWithTasksSurvivesItsProcesses() throws Exception {
        Tally tally = new TasksHarness(new CaseOptions(1, 7), StoreKind.SQLITE, 0, 1).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(1);
    }

    @Test
    void twoProcessesShareManyTasks() throws Exception {
        Tally tally = new TasksHarness(new CaseOptions(1, 7), StoreKind.SQLITE, 10, 1).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isEqualTo(1);
    }
}
