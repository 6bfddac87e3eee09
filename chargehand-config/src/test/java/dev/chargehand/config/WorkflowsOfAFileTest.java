package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the workflows of a file do with their values. */
class WorkflowsOfAFileTest {

    private static final String TOOLS = """
            tools:
              size: { description: Counts., command: [ wc, -c, --, "{file}" ], arguments: { file: { description: A file. } }, approval: false }
            """;

    @TempDir
    Path folder;

    private AgentsFile file(String workflows) {
        return read("model: offline\nlimits: { foreachItems: 3 }\nagents:\n  writer: { instructions: Write. }\n" + TOOLS
                + "workflows:\n" + workflows.indent(2));
    }

    private AgentsFile read(String text) {
        Path path = folder.resolve("crew.yaml");
        try {
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
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

    @Test
    void aTextThatIsOnePlaceholderIsTheValueAndOthersAreTexts() {
        assertThat(output("""
                main:
                  steps:
                    - map: { list: "{/input/list}", text: "of {/input/list} and {/input/name}", plain: "{name} {{/input}", more: [ "{/input/name}", 2, null, true ] }
                """, "{\"list\":[1,2],\"name\":\"Ann\"}")).isEqualTo(json("""
                {"list":[1,2],"text":"of [1,2] and Ann","plain":"{name} {/input}","more":["Ann",2,null,true]}
                """));
    }

    @Test
    void aPlaceholderInAValueIsText() {
        assertThat(output("""
                main:
                  steps:
                    - { id: first, map: "{/input/hostile}" }
                    - { map: "say: {/steps/first}" }
                """, "{\"hostile\":\"{/input/secret}\",\"secret\":\"s3\"}"))
                .isEqualTo(Json.of("say: {/input/secret}"));
    }

    @Test
    void keysWithSlashesAndTildesCanBeNamed() {
        assertThat(output("main: { steps: [ { map: \"{/input/a~1b/c~0d/0}\" } ] }", "{\"a/b\":{\"c~d\":[7]}}"))
                .isEqualTo(Json.of(7));
    }

    @Test
    void aBranchSelectsByTextsNumbersAndFlagsAndOtherwiseByNothing() {
        String workflow = """
                one: { steps: [ { map: one } ] }
                yes: { steps: [ { map: "yes" } ] }
                main:
                  steps:
                    - id: way
                      branch: /input/way
                      cases:
                        1: { workflow: one }
                        "true": { workflow: yes }
                        "two words": { workflow: one, id: words }
                      otherwise: pass
                    - map: [ "{/value}", "{/steps/way}" ]
                """;
        assertThat(output(workflow, "{\"way\":1}")).isEqualTo(json("[\"one\",\"one\"]"));
        assertThat(output(workflow, "{\"way\":true}")).isEqualTo(json("[\"yes\",\"yes\"]"));
        assertThat(output(workflow, "{\"way\":\"two words\"}")).isEqualTo(json("[\"one\",\"one\"]"));
        assertThat(output(workflow, "{}")).isEqualTo(json("[{},{}]"));
        assertThat(output(workflow, "{\"way\":null}")).isEqualTo(json("[{\"way\":null},{\"way\":null}]"));
    }

    @Test
    void theOutputsOfParallelStepsHaveTheirIdsAndAreKept() {
        assertThat(output("""
                twice: { steps: [ { map: [ "{/input}", "{/input}" ] } ] }
                main:
                  steps:
                    - id: both
                      parallel:
                        - { workflow: twice, id: left, input: a }
                        - { workflow: twice, id: right }
                    - { map: { all: "{/steps/both}", left: "{/steps/left/0}" } }
                """, "7"))
                .isEqualTo(json("{\"all\":{\"left\":[\"a\",\"a\"],\"right\":[7,7]},\"left\":\"a\"}"));
    }

    @Test
    void theItemIsTheValueOfAStepOfAForeachAndFailuresCanBeCollected() {
        assertThat(output("""
                number: { input: { type: integer }, steps: [ { map: "{/input}" } ] }
                main:
                  steps:
                    - { workflow: number, foreach: /input/items, input: "{/value/n}", collect: true, concurrency: 2 }
                    - { map: [ "{/value/0/ok}", "{/value/1/error}" ] }
                """, "{\"items\":[{\"n\":1},{\"n\":\"x\"}]}")).isEqualTo(json("""
                [1,"The input that step 'number' made for workflow 'number' breaks its schema: string found, integer expected."]
                """));
    }

    @Test
    void anOptionalStepThatFailsIsNull() {
        assertThat(output("""
                number: { output: { type: integer }, steps: [ { map: "{/input}" } ] }
                main:
                  steps:
                    - { workflow: number, optional: true }
                    - { map: { number: "{/value}", again: "{/steps/number}" } }
                """, "\"x\"")).isEqualTo(json("{\"number\":null,\"again\":null}"));
    }

    @Test
    void anAgentIsAStepAndItsPromptIsTheValueByDefault() {
        WorkflowResult<Json> result = result("main: { steps: [ { agent: writer } ] }", "\"Hello\"");
        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(result.output().string()).isPresent();
        assertThat(result.usageByAgent()).containsKey("writer");
        assertThat(result.steps()).extracting(StepOutcome::path).containsExactly("writer");
    }

    @Test
    void aToolIsAStepWhoseArgumentsAreMadeBeforeItAndOfEachItem() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "boats float");
        assertThat(output("""
                main:
                  steps:
                    - { tool: size, id: first, input: { file: "{/input/0}" } }
                    - { tool: size, foreach: /input, input: { file: "{/value}" } }
                    - map: [ "{/steps/first/output}", "{/value/0/output}" ]
                """, "[\"a.txt\"]")).isEqualTo(json("[\"11 a.txt\\n\",\"11 a.txt\\n\"]"));
    }

    @Test
    void aToolMayHaveToBeApproved() {
        WorkflowResult<Json> result =
                result("main: { steps: [ { tool: size, approval: true } ] }", "{\"file\":\"a.txt\"}");
        assertThat(result.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(result.pending().getFirst().kind()).isEqualTo(PendingApproval.Kind.APPROVAL);
        assertThat(result.pending().getFirst().arguments()).isEqualTo(Json.parse("{\"file\":\"a.txt\"}"));
    }

    @Test
    void theLimitsOfTheFileHold() {
        WorkflowResult<Json> result = result("""
                one: { steps: [ { map: 1 } ] }
                main: { steps: [ { workflow: one, foreach: /input } ] }
                """, "[1,2,3,4]");
        assertThat(result.status()).isEqualTo(RunStatus.INCOMPLETE);
        assertThat(result.stopReason().explanation()).contains("foreachItems");
    }

    @Test
    void aValueThatIsNoListFailsTheRunWithItsPlace() {
        assertThat(failure("""
                one: { steps: [ { map: 1 } ] }
                main: { steps: [ { workflow: one, foreach: /input } ] }
                """, "{}")).contains("crew.yaml:9:46: the value at /input is not a list in this run.");
    }

    @Test
    void anOutputThatBreaksItsSchemaFailsTheRun() {
        assertThat(failure("main: { output: { type: string }, steps: [ { map: 1 } ] }", "{}"))
                .contains("The output of workflow 'main' breaks its schema");
    }

    private String failure(String workflows, String input) {
        try {
            return "none, but " + result(workflows, input);
        } catch (RunFailedException e) {
            return e.getMessage();
        }
    }

    @Test
    void anAgentHasItsWorkflowsAsTools() {
        AgentsFile file = read("""
                model: offline
                agents:
                  boss: { workflows: [ main ] }
                workflows:
                  main: { description: Counts., input: { type: object }, steps: [ { map: 1 } ] }
                """);
        AgentEntry boss = file.agents().get("boss");
        assertThat(file.mayWait(boss)).isTrue();
        try (Crew crew = Crew.builder(file).environment(name -> null).build()) {
            assertThat(crew.agent(boss).workflows()).containsOnlyKeys("main");
        }
    }
}
