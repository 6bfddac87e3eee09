package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that waits for a time, in a runtime that wakes none, receives what does not end the wait. */
@Timeout(30)
class MessagesToSleepersTest {

    private final ManualClock clock = new ManualClock();
    private final Script script =
            Scripts.on("lead", Turn.calls("workflow-sleeping", Map.of("input", "tea")), Turn.says("Done"));
    private final AgentRuntime runtime = AgentRuntime.builder()
            .store(InMemoryStore.keepingEndedRuns())
            .timeSource(clock)
            .providers()
            .wakeups(Wakeups.off())
            .agents(lead())
            .build();

    private Agent lead() {
        return Agent.builder("lead")
                .instructions("Go.")
                .model(script.modelFor("lead"))
                .workflows(Workflow.from("sleeping", String.class)
                        .description("Sleeps.")
                        .sleep("cool-down", Duration.ofHours(2))
                        .build(String.class))
                .build();
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void whoWaitsForARunThatIsSpokenToLearnsThatItSleeps() {
        RunResult sleeping = runtime.agent("lead").generate("Go.");
        assertThat(sleeping.status()).isEqualTo(RunStatus.SUSPENDED);

        assertThat(runtime.tell(sleeping.runId(), "Look at the date too.")).isPresent();

        assertThat(runtime.handle(sleeping.runId()).result().status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(runtime.resume(sleeping.runId(), o -> {}).result().status()).isEqualTo(RunStatus.SUSPENDED);
        clock.advance(Duration.ofHours(2));
        assertThat(runtime.resume(sleeping.runId(), o -> {}).result().text()).isEqualTo("Done");
        assertThat(script.requestsOf("lead").getLast().messages())
                .extracting(message -> message.text())
                .contains("Look at the date too.");
    }
}
