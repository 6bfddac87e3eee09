package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands over stored runs: list, show, answer, take up, cancel. */
class StoredRunsTest {

    private static final String STORE = ".chargehand/chargehand.db";
    private static final String QUESTION = "Why does a boat float?";

    @TempDir
    Path folder;

    @BeforeEach
    void agentsAndDocuments() throws IOException {
        file("chargehand.yaml", """
                model: offline
                default: boss
                agents:
                  boss: { instructions: Delegate., agents: [finder] }
                  finder:
                    description: Finds passages.
                    tools:
                      - search-files: { approval: true }
                  plain: { instructions: Say. }
                  strict: { agents: [reader], requireToolApproval: true }
                  reader: { description: Reads., tools: [search-files] }
                """);
        file("docs/boats.md", "# Boats\n\nA boat floats because it is lighter than the water it displaces.\n");
    }

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private Ran run(String... arguments) {
        return Ran.in(folder, arguments);
    }

    /** Starts a run that waits and returns its id. */
    private String waiting() {
        assertThat(run("run", QUESTION).exitCode()).isEqualTo(4);
        return newest().runId().value();
    }

    private RunRecord newest() {
        try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
            return store.list(RunFilter.ROOTS).getFirst();
        }
    }

    private static void refused(Ran ran, String... says) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines().toList().getLast())
                .startsWith("chargehand: ")
                .contains(says);
        assertThat(ran.err()).doesNotContain("Exception", "\tat ");
    }

    @Test
    void aRunThatWaitsSaysForWhatAndHowToAnswer() {
        Ran ran = run("run", QUESTION);

        assertThat(ran.exitCode()).isEqualTo(4);
        assertThat(ran.out()).isEmpty();
        String id = newest().runId().value();
        assertThat(ran.err())
                .contains("boss/finder  waits for approval of search-files {\"query\":\"boat float\"}")
                .contains("waits for approval of search-files by boss/finder, call call_")
                .contains("  chargehand approve " + id + System.lineSeparator())
                .contains("  chargehand decline " + id + " --reason '...'");
    }

    @Test
    void anApprovedRunGoesOnToItsAnswer() {
        String id = waiting();

        Ran ran = run("approve", id, "--as", "ann");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).contains("lighter than the water it displaces").contains("docs/boats.md:3");
        assertThat(ran.err()).contains("ann approved search-files", "completed in ");
        assertThat(newest().status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void aDeclinedRunGoesOnWithTheReason() {
        String id = waiting();

        Ran ran = run("decline", id, "--reason", "Not today.");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("tester declined search-files: Not today.");
        assertThat(ran.out()).doesNotContain("lighter than the water");
        refused(run("decline", id, "--reason", " "), "--reason is empty");
        refused(run("decline", id), "--reason");
    }

    @Test
    void eventsOfARunThatGoesOnAreJsonLines() {
        String id = waiting();

        Ran ran = run("approve", id, "--events");

        List<Json> events = ran.out().lines().map(Json::parse).toList();
        assertThat(events.getFirst().at("/type").flatMap(Json::string)).contains("run-resume");
        assertThat(events.getLast().at("/type").flatMap(Json::string)).contains("run-finish");
    }

    @Test
    void aRunMayRequireApprovalOfAllItsTools() {
        Ran ran = run("run", QUESTION, "--agent", "strict");

        assertThat(ran.exitCode()).isEqualTo(4);
        assertThat(ran.err()).contains("approval of search-files by strict/reader");
    }

    @Test
    void onATerminalTheCallIsAskedOnTheSpot() {
        Typist typist = new Typist("y");

        Ran ran = Ran.in(folder, typist, "run", QUESTION);

        assertThat(ran.exitCode()).isZero();
        assertThat(typist.screen())
                .contains("  tool       search-files")
                .contains("  agent      boss/finder")
                .contains("  asked      for \"tester\", ")
                .contains("  │   \"query\": \"boat float\"")
                .contains("Execute it? y: yes");
        assertThat(ran.out()).contains("docs/boats.md:3");
        assertThat(ran.err()).contains("tester approved search-files").doesNotContain("chargehand approve");
    }

    @Test
    void onATerminalNoDeclinesWithAReason() {
        Ran ran = Ran.in(folder, new Typist("n", "Too secret."), "run", QUESTION);

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("tester declined search-files: Too secret.");
    }

    @Test
    void whatIsLeftWaitingOnATerminalIsHintedAt() {
        Ran ran = Ran.in(folder, new Typist("l"), "run", QUESTION);
        assertThat(ran.exitCode()).isEqualTo(4);
        assertThat(ran.err()).contains("  chargehand approve run_");

        String id = newest().runId().value();
        Typist nobody = new Typist();
        Ran left = Ran.in(folder, nobody, "approve", id);
        assertThat(left.exitCode()).isEqualTo(4);
        assertThat(left.err()).contains("  chargehand approve " + id);
        assertThat(newest().status()).isEqualTo(RunStatus.SUSPENDED);

        assertThat(Ran.in(folder, new Typist("y"), "approve", id).exitCode()).isZero();
    }

    @Test
    void plainAndEventsAskNothing() {
        for (String option : List.of("--plain", "--events")) {
            Typist typist = new Typist("y");
            Ran ran = Ran.in(folder, typist, "run", QUESTION, option);
            assertThat(ran.exitCode()).isEqualTo(4);
            assertThat(typist.screen()).isEmpty();
        }
        String id = newest().runId().value();
        Typist typist = new Typist();
        assertThat(Ran.in(folder, typist, "approve", id, "--plain").exitCode()).isZero();
        assertThat(typist.screen()).isEmpty();
    }

    @Test
    void runsAreListedNewestFirstWithWhatTheyWaitFor() {
        String first = waiting();
        run("run", "Hi", "--agent", "plain", "--thread", "t1");
        String second = newest().runId().value();

        Ran all = run("runs");
        assertThat(all.exitCode()).isZero();
        assertThat(all.out().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches(second + "  completed  plain  20\\S+Z  \\d+\\.\\d\\d s  thread t1"),
                        line -> assertThat(line)
                                .matches(first
                                        + "  suspended  boss   20\\S+Z  \\d+\\.\\d\\d s  waits for approval of search-files"
                                        + " by boss/finder"));
        assertThat(run("runs", "--status", "suspended").out()).startsWith(first).hasLineCount(1);
        assertThat(run("runs", "--status", "completed,failed").out())
                .startsWith(second)
                .hasLineCount(1);
        assertThat(run("runs", "--agent", "boss").out()).startsWith(first).hasLineCount(1);
        assertThat(run("runs", "--thread", "t1").out()).startsWith(second).hasLineCount(1);
        assertThat(run("runs", "--limit", "1"))
                .satisfies(page -> assertThat(page.out()).startsWith(second).hasLineCount(1))
                .satisfies(page -> assertThat(page.err()).contains("there are more: --before " + second));
        assertThat(run("runs", "--limit", "1", "--before", second))
                .satisfies(page -> assertThat(page.out()).startsWith(first).hasLineCount(1))
                .satisfies(page -> assertThat(page.err()).isEmpty());
        assertThat(run("runs", "--thread", "t2").err()).contains("no such runs");
    }

    @Test
    void runsAsJsonHaveWhatTheyWaitFor() {
        String id = waiting();

        Json run = Json.parse(run("runs", "--json").out());

        assertThat(run.at("/runId").flatMap(Json::string)).contains(id);
        assertThat(run.at("/status").flatMap(Json::string)).contains("suspended");
        assertThat(PendingApproval.fromJson(run.at("/pending/0").orElseThrow()).toolName())
                .isEqualTo("search-files");
    }

    @Test
    void aRunIsShownAsATimeline() {
        String id = waiting();
        assertThat(run("show", id).out())
                .contains("boss         begins run " + id)
                .contains("boss         is suspended, waiting for 1 answer")
                .contains("suspended, at work for ", ": waits for 1 answer")
                .contains("  chargehand approve " + id);
        run("approve", id, "--as", "ann");

        Ran ran = run("show", id);

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .containsSubsequence(
                        "boss         delegates to finder: " + QUESTION,
                        "boss/finder  calls search-files",
                        "boss/finder  waits for approval of search-files {\"query\":\"boat float\"}, call call_",
                        "boss         goes on with its run",
                        "boss/finder  ann approved search-files",
                        "boss/finder  search-files answered in ",
                        "boss/finder  step 1 in ",
                        " by offline, ",
                        "1 call: tool-calls",
                        "boss/finder  ends completed (finished) after ",
                        "boss         finder completed in ",
                        "boss         ends completed (finished) after ",
                        "docs/boats.md:3",
                        "completed, at work for ",
                        "tokens in+out: boss ",
                        "finder ");
    }

    @Test
    void aRunIsShownAsEventsAndAsOneObject() {
        String id = waiting();
        run("approve", id);

        List<Json> events =
                run("show", id, "--events").out().lines().map(Json::parse).toList();
        Json whole = Json.parse(run("show", id, "--json").out());

        assertThat(events.getFirst().at("/type").flatMap(Json::string)).contains("run-start");
        assertThat(events).anySatisfy(event -> assertThat(event.at("/approver").flatMap(Json::string))
                .contains("tester"));
        assertThat(events.getLast().at("/type").flatMap(Json::string)).contains("run-finish");
        assertThat(whole.at("/runId").flatMap(Json::string)).contains(id);
        assertThat(whole.at("/tokens/finder/inputTokens")).isPresent();
        assertThat(whole.at("/events/" + (events.size() - 1))).contains(events.getLast());
        refused(run("show", id, "--json", "--events"), "two forms of the same");
    }

    @Test
    void anAnswerToNothingIsExplained() {
        String id = waiting();
        String call;
        try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
            assertThat(store.list(RunFilter.ALL)).hasSize(2);
        }
        Json listed = Json.parse(run("runs", "--json").out());
        call = listed.at("/pending/0/callId").flatMap(Json::string).orElseThrow();
        String nested = listed.at("/pending/0/runId").flatMap(Json::string).orElseThrow();

        refused(run("approve", "run_x"), "There is no run 'run_x' in the store. 'chargehand runs' lists");
        refused(run("approve", "\u001b[2J"), "There is no run '\\u001b[2J'");
        refused(run("approve", nested), "is a delegation of run " + id);
        refused(run("approve", id, "call_x"), "No call 'call_x' of run " + id + " waits", "Waiting: " + call);
        refused(run("approve", id, call, "--all"), "--all means every call");
        refused(run("resume", id), "was not left behind; it waits for an answer. 'chargehand show " + id);
        refused(run("resume", id, call), "add --data JSON");
        refused(run("resume", id, "--data", "{oops"), "--data: Not valid JSON");
        refused(run("resume", id, "--data", "1"), "waits for approval, not for data");
        refused(run("approve", id, "--as", " "), "--as is empty");
        assertThat(newest().status()).isEqualTo(RunStatus.SUSPENDED);

        assertThat(run("approve", id, call, "--as", "ann").exitCode()).isZero();

        refused(run("approve", id, call), "has been answered already: approved by ann at 20");
        refused(run("approve", id), "has ended (completed) and waits for no answer. 'chargehand show " + id);
        refused(run("resume", id), "has ended (completed)");
        refused(run("cancel", id), "has ended (completed); there is nothing to cancel");
    }

    @Test
    void aRunOfAnAgentThatIsNotInTheFileIsNotAnswered() throws IOException {
        String id = waiting();
        file("chargehand.yaml", "model: offline\nagents: { bosss: {} }\n");

        refused(run("approve", id), "is one of agent 'boss', which chargehand.yaml does not have. There are: bosss.");
        assertThat(run("runs").exitCode()).isZero();
        assertThat(run("show", id).exitCode()).isZero();
        assertThat(run("cancel", id).exitCode()).isZero();
    }

    @Test
    void aStoreThatIsNotThereIsNotMade() {
        for (String command : List.of("runs", "recover")) {
            refused(run(command, "--store", "no.db"), "There is no store '", "no.db'");
        }
        refused(run("show", "run_x"), "There is no store '", "chargehand.db'");
        assertThat(folder.resolve("no.db")).doesNotExist();
        assertThat(folder.resolve(".chargehand")).doesNotExist();
    }

    @Test
    void wrongOptionsAreExplained() {
        waiting();
        refused(
                run("runs", "--status", "suspendet"),
                "--status: unknown status 'suspendet'.",
                "Did you mean 'suspended'?");
        refused(run("runs", "--limit", "0"), "--limit must be 1 to 1000, but is 0.");
        refused(run("runs", "--limit", "many"), "'chargehand runs --help' says what there is.");
        refused(run("runs", "--before", "run_x"), "There is no run 'run_x'");
        refused(run("show"), "RUN");
        refused(run("approve", "a", "b", "c"), "'c' is one word too many. 'chargehand approve --help'");
    }

    @Test
    void aWaitingRunIsCancelled() {
        String id = waiting();

        Ran ran = run("cancel", id);

        assertThat(ran).isEqualTo(new Ran(0, "", "cancelled run " + id + System.lineSeparator()));
        assertThat(newest().status()).isEqualTo(RunStatus.ABORTED);
        assertThat(run("show", id).out()).contains("is cancelled by caller", "ends aborted (cancelled)");
        refused(run("approve", id), "has ended (aborted)");
    }

    @Test
    void hintsRepeatTheOptionsByWhichTheRunIsFound() throws IOException {
        Files.createDirectories(folder.resolve("my runs"));

        Ran ran = run("run", QUESTION, "--store", "my runs/r.db", "--config", "chargehand.yaml");

        assertThat(ran.err())
                .containsPattern("  chargehand approve run_\\w+ --store 'my runs/r.db' --config chargehand.yaml");
    }

    // Runs of Java programs in the same store.

    private static final Tool PAY = Tool.builder("pay", "Pays.")
            .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
            .requiresApproval()
            .handler((in, context) -> "paid")
            .build();

    private static final Tool ASK = Tool.builder("ask", "Asks.")
            .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
            .handler((in, context) -> context.resumeData(String.class)
                    .map(name -> (Object) ("Hello " + name))
                    .orElseGet(() -> context.suspend("Who?")))
            .build();

    /** Runs an agent of a program on a store here, by a clock that stands on the first day of the year. */
    private RunId program(boolean clockStands, Script script, Consumer<RunOptions.Builder> options) {
        Agent plain = Agent.builder("plain").model("none/none").tools(PAY, ASK).build();
        TestRuntime.Builder builder = TestRuntime.builder(script)
                .store(JdbcStore.sqlite(folder.resolve("java.db")))
                .ids(IdSource.secure())
                .agents(plain);
        try (TestRuntime test = clockStands ? builder.manualClock().build() : builder.build()) {
            return test.agent("plain").generate("Go", options).runId();
        }
    }

    @Test
    void severalCallsAreListedAndAnsweredByOneEachOrAllAtOnce() {
        Script script = ScriptedModel.script()
                .on("plain")
                .calls("pay", Map.of("n", 1))
                .and()
                .calls("pay", Map.of("n", 2));
        String id = program(false, script, options -> {}).value();

        refused(
                run("approve", id, "--store", "java.db"),
                "waits for 2 answers; say which call you mean. Waiting: call_",
                " (pay by plain), call_");

        Typist typist = new Typist("y", "l");
        Ran one = Ran.in(folder, typist, "approve", id, "--all", "--store", "java.db");
        assertThat(one.exitCode()).isEqualTo(4);
        assertThat(typist.screen()).contains("  │   \"n\": 1", "  │   \"n\": 2");
        assertThat(one.err()).contains("tester approved pay");

        Ran rest = run("approve", id, "--all", "--store", "java.db");
        assertThat(rest.exitCode()).isZero();
    }

    @Test
    void dataIsGivenToTheCallThatAsksForThem() {
        Script script = ScriptedModel.script().on("plain").calls("ask", Map.of());
        String id = program(false, script, options -> {}).value();

        refused(run("approve", id, "--store", "java.db"), "waits for data, not for approval", "--data JSON");

        assertThat(run("show", id, "--store", "java.db").out())
                .contains("waits for data for ask")
                .contains("  chargehand resume " + id + " --data '...' --store java.db");
        Ran ran = run("resume", id, "--data", "\"Ann\"", "--store", "java.db");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("tester gave data for ask");
    }

    @Test
    void anExpiredCallIsNotAnsweredAndItsRunGoesOn() {
        Script script = ScriptedModel.script().on("plain").calls("pay", Map.of());
        String id = program(true, script, options -> {}).value();

        refused(
                run("approve", id, "--store", "java.db"),
                "waited for an answer until 2026-01-02T00:00:00Z and counts as declined since.",
                "'chargehand resume " + id + " --store java.db' lets the run go on.");

        Ran ran = run("resume", id, "--store", "java.db");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("nobody answered in time for pay");
    }

    @Test
    void hooksThatAreMissingAreNamed() {
        Script script = ScriptedModel.script().on("plain").calls("pay", Map.of());
        String id = program(false, script, options -> options.stopWhen(step -> false))
                .value();

        refused(run("approve", id, "--store", "java.db"), "was started with hooks that are not here: stopWhen.");
        assertThat(run("show", id, "--store", "java.db").out()).contains("waits for 1 answer");
    }

    @Test
    void aRunThatACrashLeftBehindIsTakenUp() {
        String resumed = crashed();
        assertThat(run("runs", "--store", "java.db").out())
                .contains(resumed + "  running  plain", "perhaps left behind by a crash");
        assertThat(run("show", resumed, "--store", "java.db").out()).contains("running, or left behind by a crash");
        refused(run("approve", resumed, "--store", "java.db"), "waits for no answer", "'chargehand resume " + resumed);

        Ran ran = run("resume", resumed, "--store", "java.db");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("goes on with its run", "completed in ");

        String recovered = crashed();
        Ran all = run("recover", "--store", "java.db");
        assertThat(all.exitCode()).isZero();
        assertThat(all.err()).contains("run " + recovered + ": completed.");
    }

    /** Leaves a run behind whose process could store no more than its beginning. */
    private String crashed() {
        FaultyStore dying = FaultyStore.over(JdbcStore.sqlite(folder.resolve("java.db")));
        IntStream.range(2, 20).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        Agent plain = Agent.builder("plain").model("none/none").build();
        try (TestRuntime test = TestRuntime.builder(
                        ScriptedModel.script().on("plain").says("Never stored"))
                .store(dying)
                .ids(IdSource.secure())
                .agents(plain)
                .build()) {
            assertThatThrownBy(() -> test.agent("plain").generate("Go")).isInstanceOf(RunFailedException.class);
            return test.store().list(RunFilter.ROOTS).getFirst().runId().value();
        }
    }

    @Test
    void recoverTakesUpWhatExpiredAndNamesWhatItLeaves() throws IOException {
        program(true, ScriptedModel.script().on("plain").calls("pay", Map.of()), options -> {});
        String hooked = program(
                        true,
                        ScriptedModel.script().on("plain").calls("pay", Map.of()),
                        options -> options.stopWhen(step -> false))
                .value();

        Ran ran = run("recover", "--store", "java.db");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err())
                .containsPattern("run_\\w+ +\\d\\.\\d\\ds  plain +nobody answered in time for pay")
                .containsPattern("run run_\\w+: completed. The model gave its answer.")
                .contains("run " + hooked + " was left alone: it was started with hooks");

        file("chargehand.yaml", "model: offline\nagents: { other: {} }\n");
        program(true, ScriptedModel.script().on("plain").calls("pay", Map.of()), options -> {});
        assertThat(run("recover", "--store", "java.db").err())
                .contains("was left alone: its agent 'plain' is not in chargehand.yaml")
                .contains("there is nothing to recover");
    }
}
