package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What closes the connections of a model, or a provider, may hang and throw: nothing else is skipped or waits for it. */
@Timeout(30)
class CloserTest {

    private static final Duration SHORT = Duration.ofMillis(200);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        over.countDown();
    }

    private void hang() {
        closing.countDown();
        while (over.getCount() > 0) {
            try {
                over.await();
            } catch (InterruptedException e) {
                // deaf
            }
        }
    }

    /** Asks a model that never answers, and closes its connection in some way. */
    private Agent silent(Consumer<ModelCall> onCancel) {
        return Agent.builder("silent")
                .model(new Model() {
                    @Override
                    public String name() {
                        return "silent";
                    }

                    @Override
                    public ModelResponse ask(ModelRequest request, ModelCall call) {
                        onCancel.accept(call);
                        asked.countDown();
                        hangSilently();
                        return Steps.said("late");
                    }
                })
                .build();
    }

    private void hangSilently() {
        while (over.getCount() > 0) {
            try {
                over.await();
            } catch (InterruptedException e) {
                // deaf
            }
        }
    }

    private static void fail(String how) {
        if (how.equals("error")) {
            throw new NoClassDefFoundError("closer");
        }
        throw new IllegalStateException("closer");
    }

    @Test
    void aCloserThatHangsStopsNoLimitOfAnotherRun() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            RunStream hanging = runtime.bind(silent(call -> call.onCancel(this::hang))).stream(
                    "Go", o -> o.timeLimit(TimeLimit.RUN, SHORT));
            assertThat(hanging.result().stopReason()).isEqualTo(new StopReason.LimitReached(TimeLimit.RUN.key()));
            Waiting.on(closing);
            RunStream next = runtime.bind(silent(call -> {})).stream("Go", o -> o.timeLimit(TimeLimit.RUN, SHORT));
            assertThat(next.result().stopReason()).isEqualTo(new StopReason.LimitReached(TimeLimit.RUN.key()));
        }
    }

    @Test
    void aCloserThatHangsKeepsNobodyWhoCancels() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            RunStream run = runtime.bind(silent(call -> call.onCancel(this::hang))).stream("Go");
            Waiting.on(asked);
            run.cancel();
            assertThat(run.result().stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
        }
    }

    @Test
    void aCloserThatHangsIsListedWhenItsTimeIsUp() {
        ManualClock clock = new ManualClock();
        try (AgentRuntime runtime =
                AgentRuntime.builder().providers().timeSource(clock).build()) {
            RunStream run = runtime.bind(silent(call -> call.onCancel(this::hang))).stream("Go");
            Waiting.on(asked);
            run.cancel();
            run.result();
            Waiting.on(closing);
            clock.advance(Duration.ofSeconds(10));
            while (!runtime.abandonedCalls().contains("closer of model silent")) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error"})
    void aCloserThatThrowsSkipsNoOtherAndReachesNobodyWhoCancels(String how) {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            RunStream run = runtime
                    .bind(silent(call -> {
                        call.onCancel(() -> fail(how));
                        call.onCancel(closed::countDown);
                    }))
                    .stream("Go");
            Waiting.on(asked);
            assertThatCode(run::cancel).doesNotThrowAnyException();
            assertThat(run.result().stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            Waiting.on(closed);
        }
    }

    @Test
    void aCloserThatHangsKeepsNoAttemptFromTheNext() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            Agent agent = silent(call -> call.onCancel(this::hang));
            assertThat(runtime.bind(agent).stream("Go", o -> o.timeLimit(TimeLimit.RUN, Duration.ofSeconds(2))
                                    .timeLimit(TimeLimit.FIRST_TOKEN, SHORT)
                                    .retries(100))
                            .result()
                            .stopReason())
                    .isEqualTo(new StopReason.LimitReached(TimeLimit.RUN.key()));
        }
    }

    /** Knows no model, and is closed in some way. */
    private record Closing(Runnable close0) implements ModelProvider {
        @Override
        public Set<String> names() {
            return Set.of();
        }

        @Override
        public Optional<Model> find(String name) {
            return Optional.empty();
        }

        @Override
        public void close() {
            close0.run();
        }
    }

    @Test
    void aProviderThatThrowsOrHangsWhenItIsClosedKeepsNothingElseFromBeingClosed() throws Exception {
        ManualClock clock = new ManualClock();
        CountDownLatch storeClosed = new CountDownLatch(1);
        AgentRuntime runtime = AgentRuntime.builder()
                .timeSource(clock)
                .store(InMemoryStore.create())
                .providers(
                        new Closing(() -> fail("exception")),
                        new Closing(() -> fail("error")),
                        new Closing(this::hang),
                        new Closing(closed::countDown))
                .build();
        Thread closer = Thread.ofPlatform().start(() -> {
            runtime.close();
            storeClosed.countDown();
        });
        Waiting.on(closing);
        clock.advance(Duration.ofSeconds(10));
        Waiting.on(closed);
        Waiting.on(storeClosed);
        closer.join();
        assertThat(List.of(closed.getCount())).containsOnly(0L);
    }
}
