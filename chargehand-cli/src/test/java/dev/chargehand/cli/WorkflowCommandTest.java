package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workflows of a file: listed, shown, run, answered, and their runs shown. */
class WorkflowCommandTest {

    private static final String FILE = """
            model: offline
            agents:
              writer: { instructions: Write. }
            workflows:
              line:
                steps: [ { map: { line: "{/value}", of: "{/input}" } } ]
              letters:
                description: Answers a letter.
                input: { type: object, required: [ kind ], properties: { kind: { type: string }, lines: { type: array } } }
                output: { type: object, required: [ sent ] }
                steps:
                  - id: kind
                    branch: /input/kind
                    cases:
                      order: { workflow: line, id: order, input: "an order" }
                    otherwise: pass
                  - { workflow: line, id: each, foreach: /input/lines, concurrency: 2 }
                  - { id: release, ask: "Send {/value/0/line} of {{/it}?", answer: { type: object, required: [ ok ] } }
                  - { map: { sent: "{/value/ok}", question: "ok {/value}" } }
              nap: { steps: [ { sleep: 1h } ] }
              asked: { steps: [ { id: ask, ask: "For how long?", answer: { type: string } }, { sleep: 11s }, { map: "{/value}" } ] }
              long: { steps: [ { id: ask, ask: "When?", answer: { type: string } }, { sleep: 1h } ] }
              pair:
                steps:
                  - parallel:
                      - { workflow: line, id: left, input: [ "{/input}", 1 ] }
                      - { workflow: line, id: right }
              missing: { steps: [ { map: "{/input/nothing}" } ] }
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), FILE);
    }

    private Ran run(String... arguments) {
        return Ran.in(folder, arguments);
    }

    private String newest() {
        return Json.parse(run("runs", "--json").out().lines().findFirst().orElseThrow())
                .at("/runId")
                .flatMap(Json::string)
                .orElseThrow();
    }

    private static Json output(Ran ran) {
        return Json.parse(ran.out()).canonical();
    }

    private static void refused(Ran ran, String message) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains(message);
    }

    @Test
    void theyAreListed() {
        assertThat(run("workflow", "list").out()).contains("letters  version 1  4 steps  Answers a letter.");
        assertThat(run("workflow", "list", "--json").out().lines().map(Json::parse))
                .extracting(workflow -> workflow.at("/id").flatMap(Json::string).orElseThrow())
                .containsExactly("line", "letters", "nap", "asked", "long", "pair", "missing");
    }

    @Test
    void aDefinitionIsShownWithItsStepsOrAsAPicture() {
        assertThat(run("workflow", "show", "letters").out())
                .contains(
                        "letters, version 1: Answers a letter.",
                        "order: workflow line",
                        "foreach, 2 at once",
                        "question release",
                        "input:  {\"type\":\"object\"");
        String picture = run("workflow", "show", "letters", "--mermaid").out();
        assertThat(picture).startsWith("flowchart TD\n").contains("-->|\"order\"|", "\"each<br/>workflow line\"");
        assertThat(Json.parse(run("workflow", "show", "letters", "--json").out())
                        .at("/mermaid")
                        .flatMap(Json::string))
                .hasValue(picture);
        refused(run("workflow", "show", "leters"), "unknown workflow 'leters'. There are: line, letters, nap");
    }

    @Test
    void aRunWhoseSearchesFoundNothingHasACodeOfItsOwn() throws IOException {
        Files.createDirectory(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/boats.md"), "A boat floats.\n");
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: offline
                agents:
                  finder: { tools: [search-files] }
                workflows:
                  look: { input: { type: string }, steps: [ { agent: finder, prompt: "{/input}" } ] }
                """);

        Ran nothing = run("workflow", "run", "look", "\"Which zebras sing?\"");
        assertThat(nothing.exitCode()).isEqualTo(5);
        assertThat(nothing.out()).isNotEmpty();
        assertThat(nothing.err()).contains("chargehand: the searches of the documents found nothing.");

        Ran found = run("workflow", "run", "look", "\"Does a boat float?\"");
        assertThat(found.exitCode()).isZero();
        assertThat(found.err()).doesNotContain("found nothing");
    }

    @Test
    void aRunThatAsksIsAnsweredByTheNextCommandAtThePathOfItsStep() {
        Ran asked = run("workflow", "run", "letters", "{\"kind\":\"order\",\"lines\":[\"a\",\"b\"]}");
        assertThat(asked.exitCode()).isEqualTo(4);
        assertThat(asked.out()).isEmpty();
        String id = newest();
        assertThat(asked.err())
                .contains(
                        "step release asks: Send a of {/it}?",
                        "suspended in ",
                        "  chargehand provide " + id + " --data '...'",
                        "  chargehand decline " + id + " --reason '...'");
        assertThat(run("runs").out()).contains("suspended", "letters@1 (workflow)", "waits for data for release");
        refused(run("workflow", "resume", id), "it waits for an answer");
        refused(run("provide", id, "relase", "--data", "{}"), "No call 'relase' of run " + id);

        Ran answered = run("provide", id, "release", "--data", "{\"ok\":true}");
        assertThat(answered.exitCode()).isZero();
        assertThat(output(answered))
                .isEqualTo(Json.parse("{\"sent\":true,\"question\":\"ok {\\\"ok\\\":true}\"}")
                        .canonical());
        assertThat(run("show", id).out())
                .contains(
                        "steps:", "each[1]", "done", "1 attempt", "completed, active for ", "All its steps are done.");
    }

    @Test
    void aRunIsShownAsAPictureWithTheStatesOfItsSteps() {
        run("workflow", "run", "letters", "{\"kind\":\"other\",\"lines\":[]}");
        String id = newest();
        // n1 start, n2 kind, b3 order with n4, n5 pass, b6 and b7 each with n8
        Ran failed = run("show", id, "--mermaid");
        assertThat(failed.exitCode()).isZero();
        assertThat(failed.out()).startsWith("flowchart TD\n").contains("classDef skipped", "classDef done");
        Json shown = Json.parse(run("show", id, "--json").out());
        assertThat(shown.at("/kind").flatMap(Json::string)).hasValue("workflow");
        assertThat(shown.at("/steps/0/state").flatMap(Json::string)).hasValue("skipped");
        refused(run("show", id, "--mermaid", "--json"), "leave all but one of them out");
    }

    @Test
    void theInputIsAnArgumentAFileOrStandardInput() throws IOException {
        assertThat(output(run("workflow", "run", "line", "\"x\"")))
                .isEqualTo(Json.parse("{\"line\":\"x\",\"of\":\"x\"}").canonical());
        Files.writeString(folder.resolve("in.json"), "[1, 2]");
        assertThat(run("workflow", "run", "line", "--input", "in.json").out()).contains("\"line\": [");
        assertThat(Ran.reading(folder, Map.of(), List.of("{\"a\":", "1}"), "workflow", "run", "line", "-")
                        .out())
                .contains("\"a\": 1");
        assertThat(run("workflow", "run", "line").out()).contains("\"line\": {}");
        refused(run("workflow", "run", "line", "x"), "INPUT: Not valid JSON");
        refused(run("workflow", "run", "line", "x"), "A text needs its own quotes");
        refused(run("workflow", "run", "line", "1", "--input", "in.json"), "leave one of them out");
        refused(run("workflow", "run", "line", "--input", "none.json"), "--input none.json cannot be read");
        refused(run("workflow", "run", "letters", "{}"), "its input breaks its schema");
    }

    @Test
    void theOutputsOfParallelStepsAreAnObject() {
        assertThat(output(run("workflow", "run", "pair", "7")))
                .isEqualTo(Json.parse("{\"left\":{\"line\":[7,1],\"of\":[7,1]},\"right\":{\"line\":7,\"of\":7}}")
                        .canonical());
    }

    @Test
    void aValueThatIsMissingFailsTheRunWithThePlaceOfItsPointer() {
        Ran ran = run("workflow", "run", "missing", "{}");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).contains("step-failed", "there is no value at /input/nothing in this run");
    }

    @Test
    void aRunThatSleepsIsLeftOnRequest() {
        Ran ran = run("workflow", "run", "nap", "--no-wait");
        assertThat(ran.exitCode()).isEqualTo(4);
        String id = newest();
        assertThat(ran.err()).contains("The run waits for a time.", "  chargehand resume " + id);
        refused(run("resume", id), "waits for a time, until ");
        refused(run("provide", id, "--data", "1"), "waits for no answer, but for a time, until ");
        assertThat(run("show", id).out()).contains("sleep-1  waiting", "waits for a time");
    }

    @Test
    void itemsThatWaitAreNamedByTheirPaths() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: offline
                agents: { reader: { instructions: Read. } }
                workflows:
                  asks: { steps: [ { id: q, foreach: /input, ask: "{/value}?", concurrency: 2 } ] }
                """);
        Ran ran = run("workflow", "run", "asks", "[1, 2]");
        assertThat(ran.err()).contains("data for q[0] by asks", "data for q[1] by asks");
        String id = run("runs").out().split(" ", 2)[0];
        refused(run("provide", id, "q", "--data", "1"), "(q[0] by asks), ");
    }

    /** A wait of more than ten seconds suspends the run. */
    @Test
    void aCommandThatAnswersWaitsWithTheRun() {
        assertThat(run("workflow", "run", "asked").exitCode()).isEqualTo(4);
        Ran ran = run("provide", newest(), "ask", "--data", "\"a while\"");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("entry sleep-1 waits until", "sleep-1 continues");
        assertThat(output(ran)).isEqualTo(Json.of("a while"));
    }

    @Test
    void aCommandThatAnswersLeavesTheRunOnRequest() {
        assertThat(run("workflow", "run", "long").exitCode()).isEqualTo(4);
        String id = newest();
        Ran ran = run("provide", id, "ask", "--data", "\"later\"", "--no-wait");
        assertThat(ran.exitCode()).isEqualTo(4);
        assertThat(ran.err()).contains("The run waits for a time.", "  chargehand resume " + id);
    }

    @Test
    void aWorkflowThatIsNotInTheFileIsNotResumed() throws IOException {
        run("workflow", "run", "letters", "{\"kind\":\"order\",\"lines\":[1]}");
        String id = newest();
        Files.writeString(folder.resolve("chargehand.yaml"), "model: offline\nagents: { writer: {} }\n");
        refused(
                run("provide", id, "--data", "{}"),
                "is one of workflow 'letters', which chargehand.yaml does not have.");
        refused(run("show", id, "--mermaid"), "which is not a workflow of chargehand.yaml");
    }

    @Test
    void aRunThatSleepsIsNotRecoveredBeforeItsTime() {
        run("workflow", "run", "nap", "--no-wait");
        assertThat(run("recover").err()).contains("there is nothing to recover");
    }

    @Test
    void theFileOfTheExampleRunsWithoutAKey() throws IOException {
        Files.writeString(folder.resolve("boats.md"), "# Boats\n\nA boat floats because it is lighter than water.\n");
        String file = Ran.PROJECT.resolve("examples/workflows/chargehand.yaml").toString();
        Ran asked = run(
                "workflow",
                "run",
                "answers",
                "{\"questions\":[\"Why does a boat float?\"]}",
                "--config",
                file,
                "--docs",
                ".",
                "--store",
                "runs.db");
        assertThat(asked.exitCode()).isEqualTo(4);
        assertThat(asked.err()).contains("step find[0] starts", "calls search-files", "step release asks: Publish");
        String id = Json.parse(run("runs", "--json", "--store", "runs.db", "--config", file)
                        .out())
                .at("/runId")
                .flatMap(Json::string)
                .orElseThrow();
        Ran done =
                run("provide", id, "release", "--data", "{\"publish\":true}", "--config", file, "--store", "runs.db");
        assertThat(done.exitCode()).isZero();
        assertThat(output(done).at("/published")).hasValue(Json.of(true));
        assertThat(output(done).at("/page").flatMap(Json::string).orElseThrow()).contains("boats.md:3");
    }

    @Test
    void agentsShowTheirWorkflows() throws IOException {
        Files.writeString(
                folder.resolve("chargehand.yaml"),
                FILE.replace("{ instructions: Write. }", "{ instructions: Write., workflows: [ letters ] }"));
        assertThat(run("agents").out()).contains("workflow letters");
        assertThat(run("check").out()).contains("1 agent, 7 workflows");
    }
}
