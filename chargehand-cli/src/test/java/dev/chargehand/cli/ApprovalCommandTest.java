package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs that wait for a human: asked on a terminal, answered by commands. */
class ApprovalCommandTest extends StoredRunsFixture {

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
                .contains("  by boss/finder for \"tester\", ")
                .contains("  │   \"query\": \"boat float\"")
                .contains("Execute it? y: yes");
        assertThat(ran.out()).contains("docs/boats.md:3");
        assertThat(ran.err())
                .containsOnlyOnce("tester approved search-files")
                .containsOnlyOnce("search-files answered")
                .doesNotContain("chargehand approve");
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
    void anAnswerToNothingIsExplained() {
        String id = waiting();
        String call;
        try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
            assertThat(store.list(RunFilter.ALL)).hasSize(2);
        }
        Json listed = Json.parse(run("runs", "--json").out());
        call = listed.at("/waiting/0/callId").flatMap(Json::string).orElseThrow();
        String nested = listed.at("/waiting/0/runId").flatMap(Json::string).orElseThrow();

        refused(run("approve", "run_x"), "There is no run 'run_x' in the store. 'chargehand runs' lists");
        refused(run("approve", "\u001b[2J"), "There is no run '\\u001b[2J'");
        refused(run("approve", nested), "is a delegation of run " + id);
        refused(run("approve", id, "call_x"), "No call 'call_x' of run " + id + " waits", "Waiting: " + call);
        refused(run("approve", id, call, "--all"), "--all means every call");
        refused(run("resume", id), "was not left behind; it waits for an answer. 'chargehand show " + id);
        refused(run("provide", id, call), "--data");
        refused(run("provide", id, "--data", "{oops"), "--data: Not valid JSON", ". A text needs its own quotes");
        refused(run("provide", id, "--data", "1"), "waits for approval, not for data");
        refused(run("approve", id, "--as", " "), "--as is empty");
        assertThat(newest().status()).isEqualTo(RunStatus.SUSPENDED);

        assertThat(run("approve", id, call, "--as", "ann").exitCode()).isZero();

        refused(run("approve", id, call), "has been answered already: approved by ann at 20");
        refused(run("approve", id), "has ended (completed) and waits for no answer. 'chargehand show " + id);
        refused(run("resume", id), "has ended (completed)");
        refused(run("cancel", id), "has ended (completed); there is nothing to cancel");
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
                .contains("  chargehand provide " + id + " --data '...' --store java.db");
        Ran ran = run("provide", id, "--data", "\"Ann\"", "--store", "java.db");
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
                "'chargehand resume " + id + " --store java.db' resumes the run.");

        Ran ran = run("resume", id, "--store", "java.db");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("no answer in time for pay");
    }

    @Test
    void hooksThatAreMissingAreNamed() {
        Script script = ScriptedModel.script().on("plain").calls("pay", Map.of());
        String id = program(false, script, options -> options.stopWhen(step -> false))
                .value();

        refused(run("approve", id, "--store", "java.db"), "was started with hooks that are not here: stopWhen.");
        assertThat(run("show", id, "--store", "java.db").out()).contains("waits for 1 answer");
    }
}
