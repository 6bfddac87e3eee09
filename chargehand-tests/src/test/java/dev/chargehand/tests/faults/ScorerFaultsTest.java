package dev.chargehand.tests.faults;

import static dev.chargehand.tests.faults.FaultyWorld.later;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ChatMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scorers that throw or hang, over a real socket and on a clock that the test turns; named by the id of the fault. */
class ScorerFaultsTest {

    @RegisterExtension
    final FaultyWorld world = new FaultyWorld();

    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void close() {
        over.countDown();
    }

    private Agent agent() {
        world.provider.fallback(request -> Reply.text("draft"));
        return world.bind(world.agent("solo").build());
    }

    private Scorer hanging() {
        return Scorer.of("stuck", answer -> {
            over.await();
            return Score.pass();
        });
    }

    private static String reason(RunResult result) {
        ScorerResult scored = result.completion().orElseThrow().scorers().getFirst();
        assertThat(scored.passed()).isFalse();
        return scored.reason();
    }

    /** Runs, and lets the time of so many scorers pass that hang. */
    private RunResult passing(int scorers, Duration limit, Completion completion) {
        Agent agent = agent();
        CompletableFuture<RunResult> run =
                later(() -> agent.generate("Go", o -> o.maxSteps(scorers).completion(completion)));
        for (int i = 0; i < scorers; i++) {
            world.pass(limit);
        }
        return run.join();
    }

    @Test
    void s01AScorerThatThrowsCountsAsNotPassedAndMaxStepsBoundTheRun() {
        RunResult result = agent().generate(
                        "Go", o -> o.maxSteps(4).completion(Completion.all(Scorer.of("broken", answer -> {
                            throw new IllegalStateException("no index");
                        }))));
        assertThat(result.stopReason()).isEqualTo(new StopReason.MaxStepsReached(4));
        assertThat(world.provider.requestCount()).isEqualTo(4);
        assertThat(reason(result)).startsWith("the scorer failed: ").contains("no index");
        assertThat(world.provider.log().getLast().request().messages())
                .extracting(ChatMessage::text)
                .anyMatch(text -> text.contains("broken: failed"));
    }

    @Test
    void s02AScorerThatHangsIsGivenUpAfterThirtySeconds() {
        Duration thirty = Duration.ofSeconds(30);
        RunResult result = passing(1, thirty, Completion.all(hanging()).continueOnFail(false));
        assertThat(result.stopReason()).isEqualTo(new StopReason.TaskIncomplete());
        assertThat(reason(result)).isEqualTo("the scorer took longer than 30 s");
    }

    @Test
    void s02tAScorerThatHangsIsGivenUpAfterItsOwnLimitEachTimeAndMaxStepsBoundTheRun() {
        Duration second = Duration.ofSeconds(1);
        RunResult result = passing(3, second, Completion.all(hanging()).scorerTimeout(second));
        assertThat(result.stopReason()).isEqualTo(new StopReason.MaxStepsReached(3));
        assertThat(world.provider.requestCount()).isEqualTo(3);
        assertThat(reason(result)).isEqualTo("the scorer took longer than 1 s");
    }

    @Test
    void s02AJudgeWhoseProviderIsSilentDoesNotOutliveItsScorer() throws Exception {
        world.provider.onModel("judge", Reply.silence());
        Scorer judge = Scorer.of("judge", answer -> {
            answer.ask(ModelChoice.of("loop/judge"), List.of(Message.user("Is it good?")));
            return Score.pass();
        });
        Agent agent = agent();
        CompletableFuture<RunResult> run = later(() ->
                agent.generate("Go", o -> o.completion(Completion.all(judge).continueOnFail(false))));
        world.provider.awaitRequests(2, Duration.ofSeconds(20));
        world.pass(Duration.ofSeconds(30));
        assertThat(reason(run.join())).isEqualTo("the scorer took longer than 30 s");
        world.provider.awaitClosed(world.provider.log().getLast(), Duration.ofSeconds(20));
    }
}
