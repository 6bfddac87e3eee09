package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Entry.Failure;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the calls of one entry wait for each other, and what the failure of one means for the others. */
class WorkflowSiblingsTest {

    private final TestRuntime test = TestRuntime.with(Scripts.of());
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        test.close();
    }

    private Step<String, String> step(String id, StepHandler<String, String> handler) {
        return Step.of(id, String.class, String.class, (in, context) -> {
            done.add(in);
            return handler.handle(in, context);
        });
    }

    private Step<String, String> asking() {
        return step("ask", (in, context) -> context.resumeData(String.class)
                .map(in::concat)
                .orElseGet(() -> context.suspend(in + "?")));
    }

    private static Workflow<String, String> each(Step<String, String> step, Each each) {
        return Workflow.from("flow", String.class)
                .foreach("all", (in, context) -> List.of(in.split(" ")), step, each)
                .map("text", String.class, (all, context) -> String.join(" ", all))
                .build(String.class);
    }

    private static List<String> paths(WorkflowResult<?> result) {
        return result.pending().stream()
                .map(request -> request.stepPath().orElseThrow())
                .toList();
    }

    @Test
    void theNextItemStartsWhenTheOneBeforeItHasItsAnswer() {
        WorkflowResult<String> waiting = test.runtime().run(each(asking(), Each.concurrency(1)), "a b c", o -> {});
        assertThat(paths(waiting)).containsExactly("all[0]");
        RunResult second =
                test.runtime().giveData(waiting.runId(), "all[0]", "1").result();
        assertThat(second.pendingApprovals()).singleElement().satisfies(request -> assertThat(request.stepPath())
                .contains("all[1]"));
        test.runtime().giveData(waiting.runId(), "all[1]", "2").result();
        RunResult result =
                test.runtime().giveData(waiting.runId(), "all[2]", "3").result();
        assertThat(result.text()).isEqualTo("a1 b2 c3");
        assertThat(done).containsExactly("a", "a", "b", "b", "c", "c");
    }

    @Test
    void itemsThatMayBeExecutedAtOnceDoNotWaitForThoseThatWait() {
        WorkflowResult<String> waiting = test.runtime().run(each(asking(), Each.concurrency(2)), "a b c", o -> {});
        assertThat(paths(waiting)).containsExactly("all[0]", "all[1]", "all[2]");
    }

    private Step<String, String> flaky(Duration wait) {
        return step("flaky", (in, context) -> {
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return in;
                })
                .retries(1, Backoff.fixed(wait));
    }

    @Test
    void theNextItemStartsAfterAShortWaitOfTheOneBeforeIt() {
        Workflow<String, String> workflow = each(flaky(Duration.ofMillis(1)), Each.concurrency(1));
        assertThat(test.runtime().run(workflow, "a b c", o -> {}).output()).isEqualTo("a b c");
        assertThat(done).containsExactly("a", "a", "b", "b", "c", "c");
    }

    @Test
    void theNextItemStartsAfterALongWaitOfTheOneBeforeIt() {
        Workflow<String, String> workflow = each(flaky(Duration.ofMinutes(5)), Each.concurrency(1));
        try (TestRuntime later = TestRuntime.builder(Scripts.of())
                .manualClock()
                .workflows(workflow)
                .build()) {
            RunResult result = later.runtime().start(workflow, "a b c", o -> {}).result();
            while (result.status() == RunStatus.SUSPENDED) {
                later.clock().advance(Duration.ofHours(2));
                result = later.runtime().resume(result.runId(), o -> {}).result();
            }
            assertThat(result.text()).isEqualTo("a b c");
            assertThat(done).containsExactly("a", "a", "b", "b", "c", "c");
        }
    }

    @Test
    void itemsThatAreOverWithoutBeingExecutedLetTheNextOneStart() {
        Step<Json, Json> odd = Step.of(
                "odd", JsonSchema.of(Integer.class), JsonSchema.of(String.class), (in, context) -> Json.of("odd"));
        List<Json> items = List.of(Json.of("x"), Json.of(1), Json.of("y"), Json.of(2), Json.of("z"));
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach("all", (in, context) -> items, odd, Each.concurrency(1).collect())
                .map("text", String.class, (all, context) -> all.stream()
                        .map(outcome -> outcome.getClass().getSimpleName().substring(0, 1))
                        .reduce("", String::concat))
                .build(String.class);
        assertThat(test.runtime().run(workflow, "", o -> {}).output()).isEqualTo("FSFSF");
    }

    private Step<String, String> failing(String id, CountDownLatch others) {
        return step(id, (in, context) -> {
            if (in.equals("bad")) {
                others.await();
                throw new IllegalStateException("It is bad");
            }
            others.countDown();
            return in;
        });
    }

    private RunResult failure(Workflow<String, ?> workflow, String input) {
        RunFailedException failed = catchThrowableOfType(
                RunFailedException.class, () -> test.runtime().run(workflow, input, o -> {}));
        return failed.result();
    }

    @Test
    void anItemThatFailedLetsNoOtherItemStart() {
        RunResult one = failure(each(failing("each", new CountDownLatch(1)), Each.concurrency(1)), "a bad b c");
        assertThat(one.stopReason().explanation()).contains("Step 'all[1]' failed: ");
        assertThat(done).containsExactly("a", "bad");
        assertThat(one.workflowSteps().stream().map(step -> step.error().orElse("none")))
                .containsExactly(
                        "none",
                        "It is bad.",
                        "This call was not executed: another one failed.",
                        "This call was not executed: another one failed.");
        done.clear();
        RunResult two =
                failure(each(failing("each", new CountDownLatch(1)), Each.concurrency(2)), "bad a b c d e f g h");
        assertThat(two.stopReason().explanation()).contains("Step 'all[0]' failed: ");
        assertThat(done).doesNotContain("h");
        assertThat(events(two, "workflow-step-result")).hasSize(done.size());
    }

    private List<String> events(RunResult result, String type) {
        return test.runtime().history(result.runId()).stream()
                .map(RunEvent::type)
                .filter(type::equals)
                .toList();
    }

    @Test
    void itemsThatWaitComeToTheirEndsAfterAFailure() {
        Step<String, String> step = step("each", (in, context) -> {
            if (in.equals("bad")) {
                throw new IllegalStateException("It is bad");
            }
            return context.resumeData(String.class).orElseGet(() -> context.suspend(in + "?"));
        });
        WorkflowResult<String> waiting = test.runtime().run(each(step, Each.concurrency(2)), "a b bad", o -> {});
        assertThat(paths(waiting)).containsExactly("all[0]", "all[1]");
        assertThat(test.runtime()
                        .giveData(waiting.runId(), "all[0]", "x")
                        .result()
                        .status())
                .isEqualTo(RunStatus.SUSPENDED);
        assertThatThrownBy(() ->
                        test.runtime().giveData(waiting.runId(), "all[1]", "y").result())
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("Step 'all[2]' failed: It is bad.");
        assertThat(done).containsExactlyInAnyOrder("a", "b", "bad", "a", "b");
    }

    /** Blocks until it is interrupted. */
    private Step<String, String> blocking(String id, CountDownLatch begun) {
        return step(id, (in, context) -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                done.add("interrupted " + id + " " + context.isCancelled());
                throw e;
            }
            return in;
        });
    }

    @Test
    void siblingsOfAFailedStepAreCancelledIfTheEntrySaysSo() {
        CountDownLatch begun = new CountDownLatch(2);
        Workflow<String, String> nested = Workflow.from("nested", String.class)
                .then(blocking("inner", begun))
                .build(String.class);
        Step<String, String> fails = step("fails", (in, context) -> {
            begun.await();
            throw new IllegalStateException("It is bad");
        });
        Workflow<String, Outputs> workflow = Workflow.from("flow", String.class)
                .parallel("all", asking(), blocking("blocks", begun), nested.asStep(), fails)
                .onFailure(Failure.CANCEL_SIBLINGS)
                .build(Outputs.class);
        RunResult failed = failure(workflow, "x");
        assertThat(failed.stopReason().explanation()).contains("Step 'fails' failed: It is bad.");
        assertThat(failed.workflowSteps().stream().map(StepOutcome::error).map(error -> error.orElse("none")))
                .containsExactly(
                        "This call was not executed: another one failed.",
                        "This call was cancelled: another one failed. Its outcome is unknown.",
                        "This call was cancelled: another one failed. Its outcome is unknown.",
                        "It is bad.");
        // the code of a cancelled step notes its interrupt on its own thread
        Waiting.until("the step was interrupted", () -> done.contains("interrupted blocks true"));
        assertThat(test.store().list(RunFilter.ALL.tree(failed.runId())))
                .allMatch(run -> run.status().isEnded())
                .hasSize(2);
    }

    @Test
    void itemsAndCasesAreCancelledIfTheEntrySaysSo() {
        CountDownLatch begun = new CountDownLatch(1);
        Step<String, String> blocks = blocking("each", begun);
        Step<String, String> each = Step.of("each", String.class, String.class, (in, context) -> {
                    if (in.equals("bad")) {
                        begun.await();
                        throw new IllegalStateException("It is bad");
                    }
                    return blocks.call(Json.of(in), context).as(String.class);
                })
                .retries(1, Backoff.fixed(Duration.ofNanos(1)));
        Workflow<String, List<String>> items = Workflow.from("flow", String.class)
                .foreach("all", (in, context) -> List.of("a", "bad", "b"), each, Each.concurrency(2))
                .onFailure(Failure.CANCEL_SIBLINGS)
                .build(new JsonType<>() {});
        assertThat(failure(items, "x").stopReason().explanation())
                .contains("Step 'all[1]' failed after 2 attempts: It is bad.");
        Waiting.until("the item was interrupted", () -> done.contains("interrupted each true"));
        assertThat(done).containsExactly("a", "interrupted each true");
        Workflow<String, Outputs> cases = Workflow.from("flow", String.class)
                .branchAll(
                        Branch.when("one", (in, context) -> true, blocking("one", begun)),
                        Branch.when("two", (in, context) -> true, step("two", (in, context) -> {
                            throw new IllegalStateException("It is bad");
                        })))
                .onFailure(Failure.CANCEL_SIBLINGS)
                .build(Outputs.class);
        assertThat(failure(cases, "x").stopReason().explanation()).contains("Step 'two' failed: It is bad.");
    }

    @Test
    void onlyEntriesOfSeveralCallsSayWhatAFailureMeans() {
        WorkflowBuilder<String, String> start = Workflow.from("flow", String.class);
        assertThatThrownBy(() -> start.onFailure(Failure.CANCEL_SIBLINGS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Workflow 'flow': onFailure follows a parallel, a branchAll, or a foreach that does not"
                        + " collect outcomes; there is no entry yet.");
        assertThatThrownBy(() -> start.then(asking()).onFailure(Failure.CANCEL_SIBLINGS))
                .hasMessageContaining("'ask' is another entry.");
        assertThatThrownBy(() -> start.foreach(
                                "all",
                                (in, context) -> List.of(in),
                                asking(),
                                Each.concurrency(1).collect())
                        .onFailure(Failure.CANCEL_SIBLINGS))
                .hasMessageContaining("'all' is another entry.");
    }
}
