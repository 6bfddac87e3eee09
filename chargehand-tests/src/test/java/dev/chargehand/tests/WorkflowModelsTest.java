package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.json.JsonType;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A workflow with other models for the agents of its steps. */
class WorkflowModelsTest extends VersionFixture {

    private static Agent member(String id) {
        return builder(id, "").model("none/" + id).build();
    }

    private static Step<String, String> step(String id) {
        return member(id).asStep(id, String.class, (in, context) -> in);
    }

    private static final Function<String, Optional<ModelChoice>> SCRIPTED = id -> id.equals("kept")
            ? Optional.empty()
            : Optional.of(ModelChoice.of(Scripts.on(id).says(id + "!").forever().modelFor(id)));

    private final Workflow<String, String> inner = Workflow.from("inner", String.class)
            .description("Works.")
            .then(step("inside").fallback((in, error, context) -> "failed"))
            .build(String.class);

    private final Workflow<String, List<String>> all = Workflow.from("all", String.class)
            .then(step("first"))
            .parallel(step("left"), step("right"))
            .map("joined", String.class, (out, context) -> out.get(step("left")) + out.get(step("right")))
            .branch(Branch.when("yes", (text, context) -> text.equals("left!right!"), step("case"))
                    .otherwise(step("other")))
            .doUntil(step("loop"), (text, context) -> true, Repeat.atMost(2))
            .branchAll("which", Branch.when("always", (text, context) -> true, step("always")))
            .map("text", String.class, (out, context) -> out.get(step("always")))
            .then(inner)
            .foreach((text, context) -> List.of(text, text), step("item"))
            .build(new JsonType<List<String>>() {});

    @Test
    void eachAgentOfAStepHasTheOtherModelAtEveryPlace() {
        Workflow<String, List<String>> scripted = all.withModels(SCRIPTED);
        try (AgentRuntime runtime = building().workflows(scripted).build()) {
            assertThat(runtime.run(scripted, "Go", o -> {}).output()).containsExactly("item!", "item!");
        }
    }

    @Test
    void anAgentKeepsItsModelsIfThereAreNoOthers() {
        Workflow<String, String> kept = Workflow.from("outer", String.class)
                .then(step("kept").fallback((in, error, context) -> "no model"))
                .build(String.class)
                .withModels(SCRIPTED);
        try (AgentRuntime runtime = building().workflows(kept).build()) {
            assertThat(runtime.run(kept, "Go", o -> {}).output()).isEqualTo("no model");
        }
    }

    @Test
    void theWorkflowsOfAnAgentHaveThemToo() {
        Agent boss = builder("boss", "").model("none/boss").workflows(inner).build();
        Agent scripted = boss.withModels(id -> id.equals("boss")
                ? Optional.of(ModelChoice.of(Scripts.on(
                                "boss",
                                Turn.calls("workflow-inner", Map.of("input", "Go")),
                                Turn.answers(request ->
                                        Steps.said(Wire.line(request.messages().getLast()))))
                        .modelFor("boss")))
                : SCRIPTED.apply(id));
        try (AgentRuntime runtime = building(scripted).build()) {
            RunId run = runtime.agent("boss").generate("Go").runId();
            assertThat(runtime.handle(run).result().text()).contains("inside!");
        }
    }
}
