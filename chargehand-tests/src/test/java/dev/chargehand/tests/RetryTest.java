package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunStream;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when a model call fails. */
class RetryTest {

    private static ModelException passing() {
        return new ModelException(Kind.OVERLOADED, "Model 'x' is overloaded (HTTP 503).", null);
    }

    private static ModelException asking(Duration retryAfter) {
        return new ModelException(Kind.RATE_LIMIT, true, retryAfter, "Too many requests (HTTP 429).", null);
    }

    /** Lets the waits between attempts pass: from half of each to the whole. */
    private static void waits(ManualClock clock, long... most) {
        for (long millis : most) {
            clock.awaitAlarm(Duration.ofMillis(millis / 2), Duration.ofMillis(millis));
            clock.advance(Duration.ofMillis(millis));
        }
    }

    @Test
    void aPassingFailureIsTriedAgainTwiceWithGrowingWaits() {
        Ran ran = Both.ways(Turn.failsWith(passing()), Turn.failsWith(passing()), Turn.says("Hi"))
                .driving(clock -> waits(clock, 500, 1000))
                .run();
        assertThat(ran.result()).finished().hasText("Hi");
        assertThat(ran.script().requests()).hasSize(3);
        assertThatEvents(ran.events())
                .areInOrder("step-start", "step-retry", "step-retry", "text-delta", "step-finish");
        RunEvent.StepRetry retry = (RunEvent.StepRetry) ran.events().stream()
                .filter(RunEvent.StepRetry.class::isInstance)
                .findFirst()
                .orElseThrow();
        assertThat(retry.code()).isEqualTo("model-overloaded");
        assertThat(retry.attempt()).isEqualTo(1);
    }

    @Test
    void aFailureThatStaysFailsTheRunWithItsCode() {
        Ran ran = Both.ways(() -> Scripts.on("solo").failsWith(passing()).forever())
                .driving(clock -> waits(clock, 500, 1000))
                .run();
        assertThat(ran.script().requests()).hasSize(3);
        assertThat(ran.result()).hasStatus(RunStatus.FAILED);
        assertThat(ran.failure().code()).isEqualTo("model-overloaded");
        assertThat(ran.failure().retryable()).isTrue();
        assertThat(ran.failure().getCause()).isInstanceOf(ModelException.class);
        assertThat(ran.facts().getLast())
                .as("attempts that gave no answer are on record")
                .contains(" stopped ", "\"modelCalls\":3");
        assertThatEvents(ran.events()).areInOrder("step-finish", "error", "run-finish");
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"AUTHENTICATION", "INVALID_REQUEST", "PROTOCOL", "EMPTY", "TOO_LARGE", "IDLE"})
    void aLastingFailureIsNotTriedAgain(Kind kind) {
        Ran ran = Both.ways(() -> Scripts.on("solo").failsWith(new ModelException(kind, "No.", null)))
                .run();
        assertThat(ran.script().requests()).hasSize(1);
        assertThat(ran.failure().retryable()).isFalse();
    }

    @Test
    void anExceptionThatIsNotTypedFailsTheRunWithoutItsStackBeingLost() {
        Ran ran = Both.ways(() -> Scripts.on("solo").failsWith(new IllegalStateException("bug")))
                .run();
        assertThat(ran.failure().code()).isEqualTo("model-protocol");
        assertThat(ran.failure().getCause()).hasRootCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void theWaitAProviderAsksForIsHonoured() {
        Ran ran = Both.ways(() -> Scripts.on("solo", Turn.failsWith(asking(Duration.ofSeconds(42))), Turn.says("Hi")))
                .passing(Duration.ofSeconds(42))
                .run();
        assertThat(ran.result()).finished();
    }

    @Test
    void aWaitOfMoreThanAMinuteFailsTheCallAtOnce() {
        Ran ran = Both.ways(() -> Scripts.on("solo").failsWith(asking(Duration.ofSeconds(61))))
                .run();
        assertThat(ran.failure().code()).isEqualTo("model-rate-limit");
        assertThat(ran.script().requests()).hasSize(1);
    }

    @Test
    void retriesAreConfigurable() {
        Ran none = Both.run(Crew.solo(), o -> o.retries(0), Turn.failsWith(passing()));
        assertThat(none.script().requests()).hasSize(1);
    }

    @Test
    void failedAttemptsAreModelCalls() {
        Ran ran = Both.ways(() -> Scripts.on("solo").failsWith(passing()).forever())
                .options(o -> o.limit(Limit.MODEL_CALLS, 2).retries(5))
                .driving(clock -> waits(clock, 500, 1000))
                .run();
        assertThat(ran.script().requests()).hasSize(2);
        assertThat(ran.result()).stoppedBecause(new StopReason.LimitReached("modelCalls"));
    }

    @Test
    void theNextModelIsAskedWhenOneCannotAnswer() {
        Script script = Scripts.of(
                Turns.of("first", Turn.failsWith(new ModelException(Kind.AUTHENTICATION, "No key.", null))),
                Turns.saying("second", "Hi"));
        Agent agent = Agent.builder("a")
                .model(ModelChoice.of(script.modelFor("first")).orElse(script.modelFor("second")))
                .build();
        try (TestRuntime test = TestRuntime.with(script)) {
            var result = test.bind(agent).generate("Go");
            assertThat(result).finished().hasText("Hi");
            assertThat(result.steps().getFirst().model()).isEqualTo("scripted/second");
            assertThatEvents(test.events()).arePaired().contain("step-retry");
            assertThat(script.requestsOf("second")).isEqualTo(script.requestsOf("first"));
        }
    }

    @Test
    void aStreamThatBreaksIsAskedAgainAndWhatItSaidIsVoid() {
        Ran ran = Both.ways(Turns.of(
                        "solo",
                        Turn.says("Hal").and(Turn.failsWith(new ModelException(Kind.CONNECTION, "Reset.", null))),
                        Turn.says("Whole")))
                .driving(clock -> waits(clock, 500))
                .run();
        assertThat(ran.result()).finished().hasText("Whole");
        assertThatEvents(ran.events())
                .areInOrder("text-start", "text-delta", "text-end", "step-retry", "text-start", "text-delta");
        assertThat(ran.result().messages().stream().map(Wire::line))
                .containsExactly("user: Do the task", "assistant: Whole");
    }

    @Test
    void whoReadsTheTextCannotTakeItBackSoABrokenStreamFailsTheRun() {
        CountDownLatch reading = new CountDownLatch(1);
        Script script = Scripts.on(
                "solo",
                Turn.waitsFor(reading)
                        .and(Turn.says("Hal"))
                        .and(Turn.failsWith(new ModelException(Kind.CONNECTION, "Reset.", null))));
        try (TestRuntime test = TestRuntime.with(script);
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            List<String> read = new ArrayList<>();
            Iterable<String> texts = run.textStream();
            reading.countDown();
            assertThatThrownBy(() -> texts.forEach(read::add)).isInstanceOfSatisfying(RunFailedException.class, e -> {
                assertThat(e.code()).isEqualTo("model-connection");
            });
            assertThat(read).containsExactly("Hal");
            assertThatThrownBy(run::result).isInstanceOfSatisfying(RunFailedException.class, e -> {
                assertThat(e.code()).isEqualTo("model-connection");
                assertThat(e.result()).hasText("Hal");
            });
        }
    }

    @Test
    void whoReadsTheTextGetsRetriesBeforeTheFirstToken() throws Exception {
        Script script = Scripts.on("solo").failsWith(passing()).then().streams("H", "i");
        try (TestRuntime test = TestRuntime.builder(script).manualClock().build();
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            List<String> read = new ArrayList<>();
            CompletableFuture<Void> reading =
                    CompletableFuture.runAsync(() -> run.textStream().forEach(read::add), task -> Thread.ofVirtual()
                            .start(task));
            waits(test.clock(), 500);
            reading.join();
            assertThat(read).containsExactly("H", "i");
            assertThat(run.result()).finished();
        }
    }

    @Test
    void anAnswerWithoutAFinishReasonIsIncompleteAndNotTriedAgain() {
        Ran ran = Both.ways(() -> Scripts.on("solo").says("Hal").finishes(FinishReason.MISSING))
                .run();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.AnswerIncomplete())
                .hasText("Hal");
        assertThat(ran.script().requests()).hasSize(1);
    }

    @Test
    void cancellingEndsTheWaitBetweenAttempts() throws Exception {
        Script script = Scripts.on("solo").failsWith(asking(Duration.ofSeconds(50)));
        try (TestRuntime test = TestRuntime.builder(script).manualClock().build();
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            test.clock().awaitAlarm(Duration.ofSeconds(50));
            run.cancel();
            assertThat(run.result()).hasStatus(RunStatus.ABORTED);
        }
    }
}
