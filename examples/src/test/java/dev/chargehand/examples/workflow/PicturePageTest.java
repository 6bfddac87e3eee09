package dev.chargehand.examples.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.WorkflowPicture;
import org.junit.jupiter.api.Test;

/** The samples of docs/workflows.md on pictures. */
class PicturePageTest {

    @Test
    void aDefinitionAndARunArePictures() {
        Step<Integer, Integer> pay = Step.of("pay", Integer.class, Integer.class, (cents, context) -> cents);
        Workflow<Integer, Integer> ordering =
                Workflow.from("ordering", Integer.class).then(pay).build(Integer.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .workflows(ordering)
                .build()) {
            RunId runId = runtime.run(ordering, 500, o -> {}).runId();
            String definition = WorkflowPicture.of(ordering).mermaid();
            String run =
                    WorkflowPicture.of(ordering).with(runtime.history(runId)).mermaid();
            assertThat(definition).startsWith("flowchart TD").contains("pay").doesNotContain("done");
            assertThat(run).contains("pay").endsWith(" done\n");
        }
    }
}
