package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that is cancelled by whoever it asks ends as cancelled, at once, whatever they say then. */
class CancelledControlTest {

    private enum Point {
        BEFORE_TOOL_CALL,
        ON_DELEGATION_START,
        MESSAGE_FILTER,
        OBSERVE_DELEGATION_START,
        MODEL_OF_THE_CHILD,
        ON_DELEGATION_COMPLETE,
        ON_ITERATION_COMPLETE,
        ON_STEP_FINISH,
        PREPARE_STEP,
        SCORER,
        STOP_WHEN,
        EXTRA_ANSWER
    }

    private enum Then {
        ANSWERS,
        THROWS,
        IGNORES_IT
    }

    /** Goes down when the test is over, so that nothing deaf stays behind. */
    private final CountDownLatch over = new CountDownLatch(1);

    private volatile Runnable cancel = () -> {};
    private volatile int asked;

    @AfterEach
    void letGo() {
        over.countDown();
    }

    static Stream<Arguments> points() {
        return Stream.of(Point.values())
                .flatMap(point -> Stream.of(Then.values()).map(then -> Arguments.of(point, then)));
    }

    @ParameterizedTest
    @MethodSource("points")
    void itEndsAsCancelled(Point point, Then then) {
        ends(point, then, false);
        ends(point, then, true);
    }

    private void ends(Point point, Then then, boolean streamed) {
        Script script = script(point, then);
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = Crew.play(
                    test.bind(Crew.supervisor()),
                    streamed,
                    o -> options(o, point, then, script, test.runtime()::cancel));
            assertThat(result).hasStatus(RunStatus.ABORTED).stoppedBecause(new StopReason.Cancelled("caller"));
            Books.balance(result, test.events());
            assertThatEvents(test.events()).ofRun(result.runId()).areInOrder("abort", "run-finish");
            assertThatEvents(test.events()).doNotContain("delegation-bail");
            assertThat(script.requests()).as("nobody is asked any more").hasSize(asked);
            assertThat(test.store().list(RunFilter.ROOTS.tree(result.runId())))
                    .allSatisfy(run -> assertThat(run.status()).isIn(RunStatus.ABORTED, RunStatus.COMPLETED));
        }
    }

    private Script script(Point point, Then then) {
        Script script = Scripts.on("supervisor")
                .delegates("researcher", "P")
                .then()
                .says("Candidate")
                .then();
        if (point == Point.EXTRA_ANSWER) {
            script.does(() -> cancels(then)).and();
        }
        script.says("After").on("researcher");
        if (point == Point.MODEL_OF_THE_CHILD) {
            script.does(() -> cancels(then)).and();
        }
        return script.says("Fact");
    }

    /** Only the one at the point cancels; the others say what would end the run otherwise if it went on. */
    private void options(RunOptions.Builder o, Point point, Then then, Script script, Consumer<RunId> how) {
        o.prepareStep(step -> {
            cancel = () -> {
                asked = script.requests().size(); // before the run is told, which may then be over at any moment
                how.accept(step.run().runId());
            };
            if (step.step() == 2) {
                at(Point.PREPARE_STEP, point, then);
            }
            return StepPlan.unchanged();
        });
        o.beforeToolCall(c -> {
            at(Point.BEFORE_TOOL_CALL, point, then);
            return ToolCallDecision.allow();
        });
        o.onDelegationStart(d -> {
            at(Point.ON_DELEGATION_START, point, then);
            return DelegationDecision.proceed();
        });
        o.messageFilter(m -> {
            at(Point.MESSAGE_FILTER, point, then);
            return m.messages();
        });
        o.observeDelegationStart(d -> at(Point.OBSERVE_DELEGATION_START, point, then));
        o.onDelegationComplete(d -> {
            at(Point.ON_DELEGATION_COMPLETE, point, then);
            return point == Point.ON_DELEGATION_COMPLETE ? d.bail() : d.accept();
        });
        o.onIterationComplete(it -> {
            at(Point.ON_ITERATION_COMPLETE, point, then);
            return point == Point.EXTRA_ANSWER && it.iteration() == 2
                    ? IterationDecision.stopWith("Once more")
                    : IterationDecision.proceed();
        });
        o.onStepFinish(step -> at(Point.ON_STEP_FINISH, point, then));
        o.completion(Completion.all(Scorer.of("scorer", context -> {
            at(Point.SCORER, point, then);
            return point == Point.STOP_WHEN ? Score.fail("Let others decide.") : Score.pass();
        })));
        o.stopWhen(step -> {
            at(Point.STOP_WHEN, point, then);
            return point == Point.STOP_WHEN;
        });
    }

    private void at(Point here, Point point, Then then) {
        if (here == point) {
            cancels(then);
        }
    }

    private void cancels(Then then) {
        cancel.run();
        if (then == Then.THROWS) {
            throw new IllegalStateException("bad hook");
        }
        while (then == Then.IGNORES_IT && over.getCount() > 0) {
            try {
                over.await();
            } catch (InterruptedException e) {
                // deaf
            }
        }
    }

    @Test
    void whatAJudgeUsedUpBeforeTheEndIsAccountedFor() {
        for (boolean streamed : List.of(false, true)) {
            Script script = Scripts.of(
                    Turns.saying("solo", "Answer"),
                    Turns.of("judge", Turn.says("Good").uses(100, 7)));
            try (TestRuntime test = TestRuntime.with(script)) {
                Scorer judge = Scorer.of("judge", context -> {
                    context.ask(ModelChoice.of(script.modelFor("judge")), List.of(Message.user("Is it good?")));
                    test.runtime().cancel(context.run().runId());
                    return Score.pass();
                });
                RunResult result =
                        Crew.play(test.bind(Crew.solo()), streamed, o -> o.completion(Completion.all(judge)));
                assertThat(result).hasStatus(RunStatus.ABORTED);
                assertThat(result.totalUsage()).isEqualTo(Usage.of(110, 12));
                Books.balance(result, test.events());
            }
        }
    }
}
