package org.example.newsroom;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An archive that fails does not fail the run: the model receives the error, and answers without facts. */
class FailingToolTest {

    private static Script script() {
        return ScriptedModel.script()
                .on("researcher")
                .calls("search-archive", Map.of("words", "tea"))
                .then()
                .says("There are no facts.");
    }

    @Test
    void theModelReceivesThatTheArchiveIsClosed() {
        Agent researcher = Newsroom.researcher(words -> {
            throw new IOException("connection refused");
        });
        try (TestRuntime test = TestRuntime.with(script())) {
            assertThat(test.bind(researcher).generate("When did tea reach Europe?"))
                    .finished()
                    .toolFailed("search-archive", "The archive is closed.")
                    .hasText("There are no facts.");
        }
    }

    @Test
    void anArchiveThatHangsIsAbandonedAfterItsTimeLimit() {
        CountDownLatch never = new CountDownLatch(1);
        Agent researcher = Newsroom.researcher(words -> {
            never.await();
            return List.of();
        });
        try (TestRuntime test = TestRuntime.builder(script()).manualClock().build()) {
            RunHandle run = test.bind(researcher).start("When did tea reach Europe?");
            test.clock().awaitAlarm(Duration.ofSeconds(30)); // the tool is running
            test.clock().advance(Duration.ofSeconds(30)); // half a minute passes at once
            assertThat(run.result())
                    .finished()
                    .toolFailed("search-archive", "took longer than")
                    .hasText("There are no facts.");
        }
    }
}
