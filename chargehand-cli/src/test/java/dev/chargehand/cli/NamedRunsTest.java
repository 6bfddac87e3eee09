package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a user names stored runs and calls: by the start of an id, or as the last run. */
class NamedRunsTest extends StoredRunsFixture {

    @Test
    void theLastRunIsTheOneThatStartedLast() {
        waiting();
        String second = waiting();

        assertThat(run("show", "last").out()).contains("boss         starts run " + second);
        assertThat(run("cancel", "last").err()).contains("cancelled run " + second);
        assertThat(run("runs", "--before", "last").out()).hasLineCount(1).doesNotContain(second);
    }

    @Test
    void theStartOfAnIdNamesARunAndACall() {
        String id = waiting();
        String call = run("runs", "--json").out().replaceAll("(?s).*\"callId\":\"(call_\\w{4}).*", "$1");

        assertThat(run("show", id.substring(0, 12)).out()).contains("starts run " + id);
        assertThat(run("show", id.substring(4, 10)).out()).contains("starts run " + id);
        refused(run("approve", id.substring(0, 12), "call_"), "No call 'call_' of run", "waits for an answer");
        assertThat(run("approve", id.substring(0, 12), call).exitCode()).isZero();
    }

    @Test
    void aStartThatIsTooShortOrNamesSeveralRunsIsRejected() throws IOException {
        AtomicInteger made = new AtomicInteger();
        run("run", "Hi", "--agent", "plain", "--thread", "t1");
        try (TestRuntime test = TestRuntime.builder(
                        ScriptedModel.script().on("plain").says("1").then().says("2"))
                .store(JdbcStore.sqlite(folder.resolve(STORE)))
                .ids(prefix -> prefix + "same" + made.getAndIncrement())
                .agents(Agent.builder("plain").model("none/none").build())
                .build()) {
            test.agent("plain").generate("Hi");
            test.agent("plain").generate("Hi");
        }

        List<String> same = run("runs", "--limit", "2")
                .out()
                .lines()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
        refused(run("show", "run_same"), "The ids of 2 runs start with 'run_same': ", same.getFirst(), same.getLast());
        refused(run("show", "sa"), "There is no run 'sa' in the store.");
        refused(run("show", "run_zzzz"), "There is no run 'run_zzzz' in the store.");
    }

    @Test
    void aMistakenFileStopsOnlyWhatNeedsItsAgents() throws IOException {
        String id = waiting();
        file("chargehand.yaml", "model: offline\nagents: { boss: { instrutions: Delegate. } }\n");

        assertThat(run("runs").out()).startsWith(id);
        assertThat(run("show", "last").exitCode()).isZero();
        assertThat(run("threads", "list").exitCode()).isZero();
        assertThat(run("approve", "last").err()).contains("instrutions", "The answer is stored.");
        assertThat(run("cancel", "last").exitCode()).isZero();
    }

    @Test
    void onATerminalTheListHasAHeader() {
        waiting();
        assertThat(Ran.in(folder, new Typist(), "runs").out().lines().toList())
                .hasSize(2)
                .first()
                .asString()
                .matches("RUN +STATE +AGENT +STARTED +WORKED +WAITED +TOKENS +THREAD, WAITS FOR, INPUT");
        assertThat(Ran.in(folder, new Typist(), "runs", "--json").out()).startsWith("{");
    }
}
