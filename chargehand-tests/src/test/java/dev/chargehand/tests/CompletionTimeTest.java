package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** How long scorers are waited for. */
class CompletionTimeTest {

    private static final Scorer PASSING = Scorer.of("passing", answer -> Score.pass());

    private static Scorer hanging(String name) {
        return Scorer.of(name, answer -> {
            new CountDownLatch(1).await();
            return Score.pass();
        });
    }

    private static long waits(ManualClock clock) {
        return clock.pending().stream().filter(Duration.ofSeconds(30)::equals).count();
    }

    private static List<ScorerResult> scored(Ran ran) {
        return ran.result().completion().orElseThrow().scorers();
    }

    @Test
    void aScorerHasThirtySecondsAndTheOthersAreNotHeldUp() {
        Semaphore bothAsked = new Semaphore(0);
        Scorer other = Scorer.of("other", answer -> {
            bothAsked.acquire();
            return Score.pass();
        });
        Ran ran = Both.ways(Turns.saying("solo", "Draft"))
                .options(o ->
                        o.completion(Completion.all(hanging("stuck"), other).continueOnFail(false)))
                .driving(clock -> {
                    Waiting.until("both are asked", () -> waits(clock) == 2);
                    bothAsked.release();
                    Waiting.until("one has answered", () -> waits(clock) == 1);
                    clock.advance(Duration.ofSeconds(30));
                })
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskIncomplete());
        assertThat(scored(ran)).extracting(ScorerResult::passed).containsExactly(false, true);
        assertThat(scored(ran).getFirst().reason()).isEqualTo("the scorer took longer than 30 s");
        assertThat(scored(ran).getFirst().duration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(ran.result().completion().orElseThrow().duration()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void allScorersTogetherHaveAMinute() {
        Ran ran = Both.ways(Turns.saying("solo", "Draft"))
                .options(o -> o.completion(Completion.any(hanging("one"), hanging("two"), hanging("three"), PASSING)
                        .inSequence()
                        .continueOnFail(false)
                        .scorerTimeout(Duration.ofSeconds(23))))
                .driving(clock -> {
                    clock.awaitAlarm(Duration.ofSeconds(23));
                    clock.advance(Duration.ofSeconds(23));
                    clock.awaitAlarm(Duration.ofSeconds(23));
                    clock.advance(Duration.ofSeconds(23));
                    clock.awaitAlarm(Duration.ofSeconds(14));
                    clock.advance(Duration.ofSeconds(14));
                })
                .run();
        assertThat(ran.result()).stoppedBecause(new StopReason.TaskIncomplete());
        assertThat(scored(ran))
                .extracting(ScorerResult::reason)
                .containsExactly(
                        "the scorer took longer than 23 s",
                        "the scorer took longer than 23 s",
                        "all scorers together took longer than 1 min",
                        "not called: all scorers together took longer than 1 min");
    }

    @Test
    void bothLimitsCanBeSet() {
        Ran ran = Both.ways(Turns.saying("solo", "Draft"))
                .options(o -> o.completion(Completion.all(hanging("stuck"))
                        .continueOnFail(false)
                        .scorerTimeout(Duration.ofSeconds(40))
                        .timeout(Duration.ofSeconds(3))))
                .passing(Duration.ofSeconds(3))
                .run();
        assertThat(scored(ran).getFirst().reason()).isEqualTo("all scorers together took longer than 3 s");
    }
}
