package dev.chargehand.tests.memory.observation;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.testkit.FaultyStore;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Each start of an observation in a run has an end that says what happened, and the model is paid for in any case. */
class ObservationEventsTest extends ObservationFixture {

    private static final int LAST = 9;

    /** A word of the message of a store that fails. */
    private static final String SECRET = "Planned fault";

    private InMemoryStore told() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        tell(store, LAST, 78);
        events.clear();
        return store;
    }

    private RunResult run(Store store) {
        try (AgentRuntime runtime = with(store, settings -> settings.addSecret(SECRET))) {
            RunResult run = runtime.agent("lead")
                    .generate(text(LAST + 1), o -> o.thread("t").resource("ann"));
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThatEvents(events).arePaired();
            assertThat(events(RunEvent.ObservationStart.class)).hasSize(1);
            return run;
        }
    }

    @Test
    void aStoreThatFails() {
        FaultyStore store = FaultyStore.over(told());
        for (int nth = 1; nth <= 5; nth++) {
            store.failOn(FaultyStore.Operation.OBSERVE, nth);
        }
        RunResult run = run(store);

        assertThat(run.usageByAgent().get("memory:")).isEqualTo(Usage.of(7, 3));
        assertThat(events(RunEvent.ObservationFailed.class))
                .singleElement()
                .satisfies(
                        event -> assertThat(event.problem()).contains("OBSERVE").doesNotContain(SECRET));
        assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
    }

    @Test
    void anAnswerThatCannotBeUsed() {
        Store store = told();
        observe = request -> "x".repeat(40_001);
        RunResult run = run(store);

        assertThat(run.usageByAgent().get("memory:")).isEqualTo(Usage.of(7, 3));
        assertThat(events(RunEvent.ObservationFailed.class)).hasSize(1);
    }

    @Test
    void messagesThatHaveChangedMeanwhile() {
        InMemoryStore store = told();
        RunResult run =
                run(withMemory(store, (call, method) -> method.equals("observe") ? OptionalLong.empty() : call.call()));

        assertThat(run.usageByAgent().get("memory:")).isEqualTo(Usage.of(7, 3));
        assertThat(events(RunEvent.ObservationFailed.class))
                .singleElement()
                .satisfies(event -> assertThat(event.problem()).contains("changed meanwhile"));
    }

    @Test
    void anotherProcessThatWasFaster() {
        InMemoryStore store = told();
        observe = request -> {
            List<String> ids = store.readThreadFrom("t", ANN, 0, 17).stream()
                    .map(entry -> entry.messageId())
                    .toList();
            assertThat(store.memory()
                            .orElseThrow()
                            .observe(ANN, "t", new NewObservation(0, 17, ids, "- faster", 3, Instant.EPOCH)))
                    .isPresent();
            return "- slower";
        };
        RunResult run = run(store);

        assertThat(run.usageByAgent().get("memory:")).isEqualTo(Usage.of(7, 3));
        assertThat(events(RunEvent.ObservationEnd.class)).hasSize(1);
        assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
        assertThat(log(store).observations()).extracting(Observation::text).containsExactly("- faster");
        assertThat(requests.getLast().messages().getFirst().text()).contains("- faster");
    }
}
