package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.spi.IdSource;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The time in which a human was awaited is no time in which a run worked. */
class RunTimesTest extends StoredRunsFixture {

    @Test
    void aListOfRunsTellsWorkFromWaiting() {
        Agent plain = Agent.builder("plain").model("none/none").tools(PAY).build();
        try (TestRuntime test = TestRuntime.builder(ScriptedModel.script()
                        .on("plain")
                        .calls("pay", Map.of())
                        .then()
                        .says("Paid."))
                .store(JdbcStore.sqlite(folder.resolve("java.db")))
                .ids(IdSource.secure())
                .agents(plain)
                .manualClock()
                .build()) {
            RunResult waiting = test.agent("plain").generate("Go");
            test.clock().advance(Duration.ofMinutes(90));
            test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
        }

        assertThat(run("runs", "--store", "java.db").out()).contains("0.00 s  90 min 00 s");
    }
}
