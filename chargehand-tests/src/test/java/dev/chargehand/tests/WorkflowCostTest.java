package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** The number of transactions of runs of workflows. */
class WorkflowCostTest {

    /** Started, the first plan and its intent; for each step its end, and the end of its round with what follows. */
    @Test
    void stepsInARowCostTwoTransactionsEachAndOneForTheStart() {
        WorkflowBuilder<Integer, Integer> steps =
                Workflow.from("row", Integer.class).then(plusOne("s0"));
        for (int i = 1; i < 7; i++) {
            steps = steps.then(plusOne("s" + i));
        }
        Workflow<Integer, Integer> row = steps.build(Integer.class);
        assertThat(appendsOf(row)).isEqualTo(2 * 7 + 1);
        Workflow<Integer, Integer> mapped = Workflow.from("mapped", Integer.class)
                .map("first", Integer.class, (in, context) -> in)
                .then(plusOne("s"))
                .build(Integer.class);
        assertThat(appendsOf(mapped)).isEqualTo(2 + 2); // code of the application is called after the start
        Workflow<Integer, Integer> nested =
                Workflow.from("nested", Integer.class).then(row).build(Integer.class);
        assertThat(appendsOf(nested)).isEqualTo(2 + 2 + 2 * 7 + 1);
    }

    private static Step<Integer, Integer> plusOne(String id) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> in + 1);
    }

    private static int appendsOf(Workflow<Integer, Integer> workflow) {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(counted).workflows(workflow).build()) {
            assertThat(runtime.run(workflow, 1, o -> {}).status()).isEqualTo(RunStatus.COMPLETED);
            return counted.count(FaultyStore.Operation.APPEND);
        }
    }
}
