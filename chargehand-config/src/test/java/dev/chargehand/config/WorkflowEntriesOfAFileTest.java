package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.document.DocumentException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loops, conditions, failures, waits and the shared state of workflows of a file. */
class WorkflowEntriesOfAFileTest {

    private static final String TOOLS = """
            tools:
              slow: { description: Waits., command: [ sleep, "60" ], approval: false }
              broken: { description: Fails., command: [ "false" ], approval: false }
            """;

    @TempDir
    Path folder;

    private AgentsFile file(String workflows) {
        Path path = folder.resolve("crew.yaml");
        try {
            Files.writeString(
                    path,
                    "model: offline\nagents:\n  writer: { instructions: Write. }\n" + TOOLS + "workflows:\n"
                            + workflows.indent(2));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return AgentsFileReader.read(path, "crew.yaml", Crew.TOOLS);
    }

    private WorkflowResult<Json> result(String workflows, String input) {
        AgentsFile file = file(workflows);
        try (Crew crew = Crew.builder(file).environment(name -> null).build()) {
            Workflow<Json, Json> workflow = crew.workflow(file.workflows().get("main"));
            try (AgentRuntime runtime = crew.runtime(InMemoryStore.create(), List.of())
                    .workflows(workflow)
                    .build()) {
                return runtime.run(workflow, Json.parse(input), crew::setOptions);
            }
        }
    }

    private Json output(String workflows, String input) {
        return result(workflows, input).output().canonical();
    }

    private static Json json(String text) {
        return Json.parse(text).canonical();
    }

    private void assertMistake(String workflows, String... words) {
        assertThatExceptionOfType(DocumentException.class)
                .isThrownBy(() -> file(workflows))
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    /** Drops the first item of a list of pairs: its rest is what follows. */
    private static final String REST = """
            rest: { steps: [ { map: "{/input/rest}" } ] }
            """;

    private static final String CHAIN =
            "{\"more\":true,\"rest\":{\"more\":true,\"rest\":{\"more\":false,\"name\":\"end\",\"rest\":{}}}}";

    @Test
    void aLoopContinuesWhileItsConditionHoldsOfTheOutput() {
        WorkflowResult<Json> result = result(REST + """
                main:
                  steps:
                    - { workflow: rest, doWhile: /value/more, atMost: 5 }
                    - map: "{/value/name}"
                """, CHAIN);
        assertThat(result.output()).isEqualTo(Json.of("end"));
        assertThat(result.steps()).extracting(StepOutcome::stepId).containsExactly("rest", "rest", "map-1");
    }

    @Test
    void aLoopEndsWhenItsConditionHolds() {
        assertThat(output(REST + """
                main:
                  steps:
                    - { workflow: rest, doUntil: /value/name, is: end }
                    - map: "{/steps/rest/more}"
                """, CHAIN)).isEqualTo(json("false"));
    }

    @Test
    void aLoopThatNeedsMoreIterationsEndsTheRun() {
        WorkflowResult<Json> result = result("""
                same: { steps: [ { map: "{/input}" } ] }
                main: { steps: [ { workflow: same, doUntil: /value/done, atMost: 3 } ] }
                """, "{}");
        assertThat(result.status()).isEqualTo(RunStatus.INCOMPLETE);
        assertThat(result.stopReason()).isEqualTo(new StopReason.LimitReached("loopIterations"));
        assertThat(result.steps()).hasSize(3);
    }

    @Test
    void allStepsWhoseConditionHoldsAreExecuted() {
        String workflow = """
                say: { steps: [ { map: "{/input}" } ] }
                main:
                  steps:
                    - id: which
                      branchAll:
                        - { workflow: say, id: urgent, input: now, when: /input/urgent }
                        - { workflow: say, id: large, input: big, when: /input/size, is: "3" }
                    - map: "{/steps/which}"
                """;
        assertThat(output(workflow, "{\"urgent\":true,\"size\":3}"))
                .isEqualTo(json("{\"urgent\":\"now\",\"large\":\"big\"}"));
        assertThat(output(workflow, "{\"urgent\":\"true\",\"size\":2}")).isEqualTo(json("{\"urgent\":\"now\"}"));
        assertThat(output(workflow, "{}")).isEqualTo(json("{}"));
    }

    @Test
    void aStepThatFailsGivesItsFallback() {
        assertThat(output("""
                number: { input: { type: integer }, steps: [ { map: "{/input}" } ] }
                fails: { steps: [ { map: "{/input/missing}" } ] }
                main:
                  steps:
                    - { workflow: fails, retries: 1, backoff: 1ms, fallback: { instead: "{/value/name}", of: "{/input/name}" } }
                """, "{\"name\":\"x\"}")).isEqualTo(json("{\"instead\":\"x\",\"of\":\"x\"}"));
    }

    @Test
    void anAttemptThatTakesTooLongFails() {
        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> result("main: { steps: [ { tool: slow, timeout: 50ms } ] }", "{}"))
                .satisfies(e -> assertThat(e.result().workflowSteps())
                        .singleElement()
                        .satisfies(
                                step -> assertThat(step.error().orElseThrow()).contains("0.05 s")));
    }

    @Test
    void aStepThatFailsCancelsTheOthers() {
        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> result("""
                        main: { steps: [ { parallel: [ { tool: broken }, { tool: slow } ], onFailure: cancel } ] }
                        """, "{}"))
                .satisfies(e -> assertThat(
                                e.result().workflowSteps().getLast().error().orElseThrow())
                        .contains("another one failed"));
    }

    @Test
    void theStateIsChangedByStepsAndReadByPointers() {
        WorkflowResult<Json> result = result("""
                main:
                  state: { count: 0, note: none }
                  steps:
                    - setState: { count: "{/input/count}", seen: [ "{/state/count}" ], note: null }
                    - map: [ "{/state}", "{/value/count}" ]
                """, "{\"count\":7}");
        assertThat(result.output().canonical()).isEqualTo(json("[{\"count\":7,\"seen\":[0]},7]"));
        assertThat(result.state().canonical()).isEqualTo(json("{\"count\":7,\"seen\":[0]}"));
    }

    @Test
    void aTimeThatIsOverIsNotWaitedForAndAnotherValueIsNoTime() {
        String workflow = "main: { steps: [ { sleepUntil: /input/at }, { map: \"{/value/x}\" } ] }";
        assertThat(output(workflow, "{\"at\":\"2020-01-01T09:00:00+01:00\",\"x\":1}"))
                .isEqualTo(Json.of(1));
        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> output(workflow, "{\"at\":\"soon\"}"))
                .satisfies(e -> assertThat(e.getMessage()).contains("is not a time"));
    }

    @Test
    void mistakesAreReportedWithTheirPlaces() {
        assertMistake("main: { steps: [ { setState: { a: 1 } } ] }", "crew.yaml:", "needs a shared state");
        assertMistake("main: { steps: [ { map: \"{/state/a}\" } ] }", "the workflow has no 'state'");
        assertMistake("main: { state: [ 1 ], steps: [ { map: 1 } ] }", "'state' of workflow 'main'");
        assertMistake("main: { steps: [ { agent: writer, when: /value } ] }", "'when'", "branchAll");
        assertMistake("main: { steps: [ { branchAll: [ { agent: writer } ] } ] }", "needs 'when'");
        assertMistake("main: { steps: [ { map: 1, doUntil: /value } ] }", "'doUntil'", "agent, tool, workflow, ask");
        assertMistake(
                "main: { steps: [ { agent: writer, doUntil: /value, foreach: /value } ] }",
                "'doUntil' is in the same step",
                "'foreach'");
        assertMistake(
                "main: { steps: [ { parallel: [ { agent: writer, doWhile: /value } ] } ] }",
                "'doWhile'",
                "must be an entry of its own");
        assertMistake("main: { steps: [ { agent: writer, is: x } ] }", "'is'", "when, doWhile, doUntil");
        assertMistake("main: { steps: [ { agent: writer, timeout: 3s } ] }", "'timeout'", "tool");
        assertMistake(
                "main: { steps: [ { agent: writer, optional: true, fallback: x } ] }", "'fallback' and 'optional'");
        assertMistake(
                "main: { steps: [ { tool: slow, input: { a: 1 }, doUntil: /value } ] }", "'input' of a tool in a loop");
        assertMistake("main: { steps: [ { agent: writer, doUntil: /value, atMost: 0 } ] }", "atMost");
        assertMistake("main: { steps: [ { map: 1 }, { parallel: [ { agent: writer } ], onFailure: stop } ] }", "stop");
    }
}
