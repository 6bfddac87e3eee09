package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A workflow that asks, sleeps and tries again later, and whose process is gone between any two of its facts. */
class WaitingWorkflowCrashTest {

    private record Ending(String output, String state, List<StepOutcome> steps) {}

    private static final int MOST_WAITS = 20;

    private final ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();

    private final Step<String, String> ask = Step.of("ask", String.class, String.class, (in, context) -> {
                context.updateState(Map.of("asked", Map.of(in, true)));
                return context.resumeData(String.class)
                        .map(answer -> in + answer)
                        .orElseGet(() -> context.suspend(in + "?"));
            })
            .repeatable();

    private final Step<String, String> flaky = Step.of("flaky", String.class, String.class, (in, context) -> {
                if (context.attempt() < 3) {
                    throw new IllegalStateException("not yet");
                }
                return in + " at last";
            })
            .repeatable()
            .retries(2, Backoff.fixed(Duration.ofMinutes(3)));

    private final Workflow<String, String> workflow = Workflow.from("waiting", String.class)
            .foreach("all", (in, context) -> List.of(in + "1", in + "2"), ask, Each.concurrency(2))
            .map("text", String.class, (all, context) -> String.join(" ", all))
            .sleep("cool-down", Duration.ofHours(1))
            .then(flaky)
            .sleep("moment", Duration.ofHours(2))
            .build(String.class);

    @Test
    void aRunThatIsInterruptedBetweenAnyTwoFactsEndsAsTheUndisturbedOne() {
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                return TestRuntime.builder(Scripts.of())
                        .store(store)
                        .ids(IdSource.secure())
                        .workflows(workflow)
                        .manualClock()
                        .build();
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return whole(test, test.runtime().start(workflow, "x", o -> {}));
            }

            @Override
            public RunResult resume(TestRuntime test, RunId run) {
                return whole(test, test.runtime().resume(run, o -> {}));
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                RunResult result = run.get();
                assertThat(result.text()).isEqualTo("x1! x2! at last");
                return new Ending(
                        result.text(),
                        result.workflowState().orElseThrow().canonical().text(),
                        StepTimesTest.without(result));
            }
        }.assertEndsAsTheUndisturbedOne();
        assertThat(answers.stream().distinct()).hasSizeGreaterThan(2); // of several runs
    }

    /** Answers what a run asks, and lets time pass until it has ended. */
    private RunResult whole(TestRuntime test, RunHandle started) {
        RunHandle run = started;
        for (int waits = 0; waits < MOST_WAITS; waits++) {
            RunResult result = run.result();
            if (result.status() != RunStatus.SUSPENDED) {
                return result;
            }
            if (result.pendingApprovals().isEmpty()) {
                test.clock().advance(Duration.ofHours(2));
                run = test.runtime().resume(run.runId(), o -> {});
            } else {
                answers.add(result.pendingApprovals().getFirst().callId());
                run = test.runtime().giveData(result.pendingApprovals().getFirst(), "!");
            }
        }
        throw new AssertionError("Run " + run.runId() + " waits for ever.");
    }
}
