package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the caller gets of a run whose store fails, and what holds though it could not be stored. */
@Timeout(60)
class OutageResultTest {

    @Test
    void theExceptionHasTheTextThatStreamsHad() {
        for (boolean streamed : new boolean[] {false, true}) {
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            store.failOn(Operation.APPEND, 2);
            Script script = Scripts.on("solo").says("The whole answer").uses(3, 4);
            StringBuilder heard = new StringBuilder();
            try (AgentRuntime runtime =
                    AgentRuntime.builder().store(store).providers().build()) {
                Agent solo =
                        Agent.builder("solo").model(script.modelFor("solo")).build();
                RunFailedException failure = catchThrowableOfType(RunFailedException.class, () -> {
                    if (!streamed) {
                        RunResult ignored = runtime.bind(solo).generate("Go");
                        return;
                    }
                    try (RunStream run = runtime.bind(solo).stream("Go")) {
                        List<RunEvent> events = new ArrayList<>();
                        run.forEach(events::add);
                        events.stream()
                                .filter(RunEvent.TextDelta.class::isInstance)
                                .forEach(delta -> heard.append(((RunEvent.TextDelta) delta).text()));
                        RunResult ignored = run.result();
                    }
                });
                assertThat(failure.result().text()).isEqualTo("The whole answer");
                assertThat(failure.result().usage().totalTokens()).isEqualTo(7);
                assertThat(failure.result().status()).isEqualTo(RunStatus.FAILED);
                assertThat(failure).hasMessageContaining("resume");
            }
            assertThat(heard.toString()).isEqualTo(streamed ? "The whole answer" : "");
        }
    }

    @Test
    void aCancelThatCouldNotBeStoredHoldsAllTheSame() throws InterruptedException {
        FaultyStore faulty = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        WatchedStore store = new WatchedStore(faulty);
        faulty.failOn(Operation.APPEND, 2);
        CountDownLatch asked = new CountDownLatch(1);
        Script script = Scripts.on("solo").does(asked::countDown).and().hangs();
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).providers().build()) {
            Agent solo = Agent.builder("solo").model(script.modelFor("solo")).build();
            RunStream run = runtime.bind(solo).stream("Go");
            asked.await();
            run.cancel();
            RunFailedException failure = catchThrowableOfType(RunFailedException.class, run::result);
            assertThat(failure.code()).isEqualTo("store-failed");
            store.released.await();

            assertThat(store.find(failure.result().runId()).orElseThrow().status())
                    .isEqualTo(RunStatus.ABORTED);
            assertThat(runtime.recover().runIds()).isEmpty();
        }
    }
}
