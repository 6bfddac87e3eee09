package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.StopReason;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A scorer that goes wrong has failed the answer, says how, and breaks nothing else. */
class FaultyScorersTest {

    private static final Duration LIMIT = Duration.ofSeconds(7);

    static Stream<Arguments> faults() {
        return Stream.of(
                fault("NaN", context -> Score.of(Double.NaN, "x"), "gave NaN"),
                fault("below 0", context -> Score.of(-1, "x"), "gave -1.0"),
                fault("above 1", context -> Score.of(2, "x"), "gave 2.0"),
                fault("infinite", context -> Score.of(Double.POSITIVE_INFINITY, "x"), "gave Infinity"),
                fault("null", context -> null, "returned null"),
                thrown("a score without a reason", context -> Score.of(1, null), "reason"),
                thrown("throws", context -> Steps.failing(new IllegalStateException("no database")), "no database"),
                thrown(
                        "breaks",
                        context -> {
                            throw new StackOverflowError();
                        },
                        "an exception without a message"),
                fault("passes when its time is up", context -> late(), "took longer than 7 s"));
    }

    private static Arguments fault(String name, Scorer.Function scorer, String told) {
        return Arguments.of(Named.of(name, scorer), told, told);
    }

    /** What a scorer throws is for the application; the model receives the id of the error. */
    private static Arguments thrown(String name, Scorer.Function scorer, String words) {
        return Arguments.of(Named.of(name, scorer), "the scorer failed (error err_1)", words);
    }

    private static Score late() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            return Score.pass("too late");
        }
        return Score.pass();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void itCountsAsFailedAndTheFeedbackSaysHow(Scorer.Function fault, String told, String reported) {
        Ran ran = Both.ways(() -> Scripts.on("solo").says("First").then().says("Second"))
                .options(o -> o.completion(Completion.all(Scorer.of(
                                "faulty", context -> context.step() == 1 ? fault.score(context) : Score.pass()))
                        .scorerTimeout(LIMIT)))
                .driving(clock -> {
                    if (told.contains("7 s")) {
                        clock.awaitAlarm(LIMIT);
                        clock.advance(LIMIT);
                    }
                })
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskComplete()).hasText("Second");
        assertThat(ran.request("solo", 2)).hasSize(3);
        assertThat(ran.request("solo", 2).getLast())
                .startsWith("system: ")
                .contains("faulty: failed (score 0.0")
                .contains(told)
                .doesNotContain("too late");
        List<RunEvent.ScoringComplete> scorings = ran.events().stream()
                .filter(RunEvent.ScoringComplete.class::isInstance)
                .map(RunEvent.ScoringComplete.class::cast)
                .toList();
        assertThat(scorings).extracting(RunEvent.ScoringComplete::complete).containsExactly(false, true);
        assertThat(scorings.getFirst().results())
                .extracting(result -> result.passed())
                .containsExactly(false);
        assertThat(scorings.getFirst().results().getFirst().reason()).contains(reported);
        if (!told.equals(reported)) {
            assertThat(ran.request("solo", 2).getLast()).doesNotContain(reported);
        }
    }
}
