package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.spi.IdSource;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The time in which a human was awaited is no time in which a run worked. */
class RunTimesTest extends StoredRunsFixture {

    private static Script pays() {
        return ScriptedModel.script().on("plain").calls("pay", Map.of()).then().says("Paid.");
    }

    private void paidAfter(Duration wait) {
        Agent plain = Agent.builder("plain").model("none/none").tools(PAY).build();
        try (TestRuntime test = TestRuntime.builder(pays())
                .store(JdbcStore.sqlite(folder.resolve("java.db")))
                .ids(IdSource.secure())
                .agents(plain)
                .manualClock()
                .build()) {
            RunResult waiting = test.agent("plain").generate("Go");
            test.clock().advance(wait);
            test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
        }
    }

    @Test
    void aListOfRunsTellsWorkFromWaiting() {
        paidAfter(Duration.ofMinutes(90));

        assertThat(run("runs", "--store", "java.db").out()).contains("0.00 s  1 h 30 min");
        assertThat(run("runs", "--store", "java.db", "--json").out())
                .contains("\"workedMillis\":0,", "\"waitedMillis\":5400000,");
    }

    @Test
    void theHistoryOfARunTellsWorkFromWaiting() {
        paidAfter(Duration.ofSeconds(90));

        assertThat(run("show", "last", "--store", "java.db").out())
                .contains("completed, active for 0.00 s, waited for 1 min 30 s: ");
        assertThat(run("show", "last", "--store", "java.db", "--json").out())
                .contains("\"workedMillis\":0,", "\"waitedMillis\":90000,");
    }

    @Test
    void aRunThatWaitsHasWaitedUntilNow() {
        program(true, pays(), options -> {});

        assertThat(run("runs", "--store", "java.db").out()).containsPattern(" 0\\.00 s  [\\d,]+ h \\d\\d min ");
        assertThat(run("show", "last", "--store", "java.db").out())
                .containsPattern("suspended, active for 0\\.00 s, waited for [\\d,]+ h \\d\\d min: waits for 1 answer");
    }

    @Test
    void aRunThatNeverWaitedHasNoWaiting() {
        assertThat(run("run", QUESTION, "--agent", "plain").exitCode()).isZero();

        assertThat(run("show", "last").out()).containsPattern("completed, active for [\\d.]+ s: ");
        assertThat(run("runs").out()).containsPattern("[\\d.]+ s  –  ");
    }
}
