package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A short sleep of a workflow while the time of day is set back. */
class SleepAcrossClockStepTest {

    private final SteppedTime time = new SteppedTime();
    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    /** A store after each of whose appends the time of day is an hour earlier. */
    private final ForwardingStore setBack = new ForwardingStore(store) {
        @Override
        public Appended append(List<Append> appends) {
            Appended appended = super.append(appends);
            time.step(Duration.ofHours(-1));
            return appended;
        }
    };

    @Test
    void aSleepIsNotProlongedByAClockThatIsSetBack() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .sleep("short", Duration.ofSeconds(2))
                .map("text", String.class, (in, context) -> in + " slept")
                .build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(setBack)
                .timeSource(time)
                .workflows(workflow)
                .build()) {
            CompletableFuture<String> text = CompletableFuture.supplyAsync(
                    () -> runtime.run(workflow, "tea", o -> {}).output(),
                    task -> Thread.ofVirtual().start(task));
            time.clock.awaitAlarm(Duration.ofSeconds(2));
            time.clock.advance(Duration.ofSeconds(2));
            assertThat(text.join()).isEqualTo("tea slept");
        }
    }
}
