package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Entry.Failure;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Items that are executed one after the other, of which the last but one fails, in processes that are gone between any two facts. */
class SiblingsCrashTest {

    private record Ending(String stop, List<StepOutcome> steps) {}

    private static final int MOST_WAITS = 20;

    /** What one process has executed. */
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    private final Step<String, String> step = Step.of("step", String.class, String.class, (in, context) -> {
                done.add(in);
                if (in.equals("bad") || (in.equals("later") && context.attempt() == 1)) {
                    throw new IllegalStateException("It is " + in);
                }
                return in.equals("ask") ? context.resumeData(String.class).orElseGet(() -> context.suspend("?")) : in;
            })
            .repeatable()
            .retries(1, Backoff.fixed(Duration.ofMinutes(3)));

    private Workflow<String, List<String>> workflow(Failure failure) {
        return Workflow.from("ordered", String.class)
                .foreach(
                        "all", (in, context) -> List.of("a", "ask", "later", "bad", "never"), step, Each.concurrency(1))
                .onFailure(failure)
                .build(new JsonType<>() {});
    }

    @Test
    void itemsStayInOrderAndNoneStartsAfterTheFailure() {
        for (Failure failure : Failure.values()) {
            new Crashing<Ending>() {
                @Override
                public TestRuntime runtime(Store store) {
                    done.clear();
                    return TestRuntime.builder(Scripts.of())
                            .store(store)
                            .ids(IdSource.secure())
                            .workflows(workflow(failure))
                            .manualClock()
                            .build();
                }

                @Override
                public RunResult begin(TestRuntime test) {
                    return whole(test, test.runtime().start(workflow(failure), "x", o -> {}));
                }

                @Override
                public RunResult resume(TestRuntime test, RunId run) {
                    return whole(test, test.runtime().resume(run, o -> {}));
                }

                @Override
                public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                    RunResult result = run.get();
                    assertThat(done.stream().distinct().toList())
                            .isEqualTo(List.of("a", "ask", "later", "bad").stream()
                                    .filter(done::contains)
                                    .toList());
                    return new Ending(result.stopReason().explanation(), StepTimesTest.without(result));
                }
            }.assertEndsAsTheUndisturbedOne();
        }
    }

    private static RunResult whole(TestRuntime test, RunHandle started) {
        RunHandle run = started;
        for (int waits = 0; waits < MOST_WAITS; waits++) {
            RunResult result;
            try {
                result = run.result();
            } catch (RunFailedException e) {
                if (e.code().startsWith("store")) {
                    throw e;
                }
                return e.result();
            }
            if (result.pendingApprovals().isEmpty()) {
                test.clock().advance(Duration.ofHours(2));
                run = test.runtime().resume(run.runId(), o -> {});
            } else {
                assertThat(result.pendingApprovals()).hasSize(1);
                run = test.runtime().giveData(result.pendingApprovals().getFirst(), "ask");
            }
        }
        throw new AssertionError("Run " + run.runId() + " waits for ever.");
    }
}
