package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that are kept: listed, shown, cancelled. */
class StoredRunsTest extends StoredRunsFixture {

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
                                .matches(
                                        second
                                                + "  completed  plain  20\\S+ \\d\\d:\\d\\d:\\d\\d  \\d+\\.\\d\\d s  – +\\d+\\+\\d+ +thread t1  Hi"),
                        line -> assertThat(line)
                                .matches(first
                                        + "  suspended  boss   20\\S+ \\d\\d:\\d\\d:\\d\\d  \\d+\\.\\d\\d s  (–|\\d+\\.\\d\\d s)  \\d+\\+\\d+ +waits for approval of"
                                        + " search-files  Why does a boat float\\?"));
        assertThat(run("runs", "--status", "suspended").out()).startsWith(first).hasLineCount(1);
        assertThat(run("runs", "--status", "completed,failed").out())
                .startsWith(second)
                .hasLineCount(1);
        assertThat(run("runs", "--agent", "boss").out()).startsWith(first).hasLineCount(1);
        assertThat(run("runs", "--since", "2026-01-01").out()).hasLineCount(2);
        assertThat(run("runs", "--until", "2026-01-01T00:00:00Z").err()).contains("no such runs");
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
        assertThat(run.at("/firstWords").flatMap(Json::string)).contains(QUESTION);
        assertThat(run.at("/usage/inputTokens")).isPresent();
        assertThat(run.at("/waiting/0/toolName").flatMap(Json::string)).contains("search-files");
        Json shown = Json.parse(run("show", id, "--json").out());
        assertThat(PendingApproval.fromJson(shown.at("/pending/0").orElseThrow())
                        .callId())
                .isEqualTo(run.at("/waiting/0/callId").flatMap(Json::string).orElseThrow());
    }

    @Test
    void aRunIsShownAsATimeline() {
        String id = waiting();
        assertThat(run("show", id).out())
                .contains("boss         starts run " + id)
                .contains("boss         is suspended, waiting for 1 answer")
                .contains("suspended, active for ", ": waits for 1 answer")
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
                        "boss         resumes its run",
                        "boss/finder  ann approved search-files",
                        "boss/finder  search-files answered in ",
                        "boss/finder  step 1 in ",
                        " by offline, ",
                        "1 call: tool-calls",
                        "boss/finder  ends completed (finished) after ",
                        "boss         finder completed in ",
                        "boss         ends completed (finished) after ",
                        "docs/boats.md:3",
                        "completed, active for ",
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
        refused(run("show", id, "--json", "--events"), "forms of the same");
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
        refused(run("runs", "--since", "yesterday"), "--since: 'yesterday' is not a time; write a date");
        refused(run("runs", "--limit", "many"), "'chargehand runs --help' lists what is available.");
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
    void aCancelledRunShowsWhy() {
        String id = waiting();

        assertThat(run("cancel", id, "--reason", "The order was withdrawn").exitCode())
                .isZero();

        assertThat(run("show", id).out()).contains("The run was cancelled (caller: The order was withdrawn).");
        refused(run("cancel", id, "--reason", " "), "the reason of a cancel must have 1 to 2000 characters");
    }

    @Test
    void hintsRepeatTheOptionsByWhichTheRunIsFound() throws IOException {
        Files.createDirectories(folder.resolve("my runs"));

        Ran ran = run("run", QUESTION, "--store", "my runs/r.db", "--config", "chargehand.yaml");

        assertThat(ran.err())
                .containsPattern("  chargehand approve run_\\w+ --store 'my runs/r.db' --config chargehand.yaml");
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
        assertThat(ran.err()).contains("resumes its run", "completed in ");

        String recovered = crashed();
        Ran all = run("recover", "--store", "java.db");
        assertThat(all.exitCode()).isZero();
        assertThat(all.err()).contains("run " + recovered + ": completed.");
    }

    @Test
    void recoverNamesARunThatMadeNoProgress() throws Exception {
        String stuck = crashed();
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("java.db"));
                Statement statement = database.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE runs SET attempts = 10 WHERE run_id = '" + stuck + "'"))
                    .isOne();
        }

        Ran ran = run("recover", "--store", "java.db");

        assertThat(ran.err())
                .contains("run " + stuck + " was not resumed: it made no progress when it was resumed ten times")
                .contains("'chargehand resume " + stuck + "' tries again")
                .doesNotContain("there is nothing to recover");
        assertThat(run("resume", stuck, "--store", "java.db").exitCode()).isZero();
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
                .containsPattern("run_\\w+ +\\d\\.\\d\\ds  plain +no answer in time for pay")
                .containsPattern("run run_\\w+: completed. The run gave its result.")
                .contains("run " + hooked + " was not resumed: it was started with hooks");

        file("chargehand.yaml", "model: offline\nagents: { other: {} }\n");
        program(true, ScriptedModel.script().on("plain").calls("pay", Map.of()), options -> {});
        assertThat(run("recover", "--store", "java.db").err())
                .contains("was not resumed: its agent 'plain' is not in chargehand.yaml")
                .doesNotContain("there is nothing to recover");
    }
}
