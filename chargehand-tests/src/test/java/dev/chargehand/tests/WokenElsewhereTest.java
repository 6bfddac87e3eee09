package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ends a sleep early in another runtime than the one that executed the run last, which is open and resumes nothing. */
@Timeout(60)
class WokenElsewhereTest {

    @TempDir
    private Path folder;

    private final Workflow<Integer, Integer> resting = Workflow.from("resting", Integer.class)
            .sleep("nap", Duration.ofHours(1))
            .then(Step.of("last", Integer.class, Integer.class, (in, context) -> in + 1))
            .build(Integer.class);

    private AgentRuntime runtime() {
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .wakeups(Wakeups.off())
                .workflows(resting)
                .build();
    }

    @Test
    void theRunContinuesWhereItIsWoken() {
        try (AgentRuntime starts = runtime();
                AgentRuntime wakes = runtime()) {
            RunId run = starts.run(resting, 1, o -> {}).runId();
            assertThat(starts.handle(run).status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(wakes.wake(run, "nap").result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }
}
