package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bugs in the public tracker of the reference implementation about suspension, each by its number there. */
class ReferenceSuspensionTest {

    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    private final Semaphore suspensions = new Semaphore(0);

    private final AgentRuntime runtime = AgentRuntime.builder()
            .store(InMemoryStore.keepingEndedRuns())
            .anyoneMayApprove()
            .addListener(event -> {
                if (event.type().equals("workflow-step-suspended")) {
                    suspensions.release();
                }
            })
            .build();

    @AfterEach
    void close() {
        runtime.close();
    }

    private Step<String, String> ask(String id) {
        return Step.of(id, String.class, String.class, (in, context) -> context.resumeData(String.class)
                .map(answer -> Steps.noted(done, id, in + " " + answer))
                .orElseGet(() -> context.suspend(id + "?")));
    }

    private Step<String, String> work(String id) {
        return Step.of(id, String.class, String.class, (in, context) -> Steps.noted(done, id, in + " " + id));
    }

    /** A step that ends when it may. */
    private Step<String, String> held(String id, CountDownLatch until) {
        return Step.of(id, String.class, String.class, (in, context) -> {
            until.await();
            return Steps.noted(done, id, id);
        });
    }

    private static Workflow<String, String> nested(String id, Step<String, String> step) {
        return Workflow.from(id, String.class).then(step).build(String.class);
    }

    private PendingApproval waiting(RunId run, String path) {
        return runtime.handle(run).pendingApprovals().stream()
                .filter(pending -> pending.stepPath().orElseThrow().equals(path))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void issue5650AStepOfANestedWorkflowContinuesWhereItIsAndNotAtTheFirstStepOfTheOuterOne() {
        Workflow<String, String> outer = Workflow.from("outer", String.class)
                .then(work("first"))
                .then(nested("middle", ask("inner")))
                .build(String.class);
        RunId run = runtime.run(outer, "x", o -> {}).runId();
        assertThat(runtime.giveData(waiting(run, "inner"), "1").result().text()).isEqualTo("x first 1");
        assertThat(done).containsExactly("first", "inner");
    }

    @Test
    void issue6065ANestedWorkflowFollowsOnOneThatAsked() {
        Workflow<String, String> outer = Workflow.from("outer", String.class)
                .then(nested("one", ask("inner")))
                .then(nested("two", work("some")))
                .build(String.class);
        RunId run = runtime.run(outer, "x", o -> {}).runId();
        assertThat(runtime.giveData(waiting(run, "inner"), "1").result().text()).isEqualTo("x 1 some");
    }

    @Test
    void pullRequest6241OnlyTheChosenCaseContinuesWhenItsNestedWorkflowAsksTwice() {
        Workflow<String, String> twice = Workflow.from("twice", String.class)
                .then(ask("a"))
                .then(ask("b"))
                .build(String.class);
        Workflow<String, String> outer = Workflow.from("outer", String.class)
                .branch(Branch.when("x", (in, context) -> in.equals("x"), twice.asStep())
                        .otherwise(work("other")))
                .build(String.class);
        RunId run = runtime.run(outer, "x", o -> {}).runId();
        assertThat(runtime.giveData(waiting(run, "a"), "1").result().status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(runtime.giveData(waiting(run, "b"), "2").result().text()).isEqualTo("x 1 2");
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void issue6418OneAnswerDoesNotEndAParallelOfTwoQuestions() {
        Workflow<String, Outputs> workflow = Workflow.from("flow", String.class)
                .parallel(ask("one"), ask("two"))
                .build(Outputs.class);
        RunId run = runtime.run(workflow, "x", o -> {}).runId();
        RunResult half = runtime.giveData(run, "one", "1").result();
        assertThat(half.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(half.pendingApprovals()).hasSize(1);
        assertThat(runtime.giveData(run, "two", "2").result().text()).contains("x 1", "x 2");
    }

    @Test
    void issue8902ItemsOfAForeachThatAskAtTheSameTimeAreAnsweredInAnyOrder() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach("items", (in, context) -> List.of("a", "b", "c"), ask("item"), Each.concurrency(3))
                .map("text", String.class, (all, context) -> String.join(",", all))
                .build(String.class);
        RunId run = runtime.run(workflow, "x", o -> {}).runId();
        RunResult result = null;
        for (String item : List.of("1", "2", "0")) {
            result = runtime.giveData(run, "items[" + item + "]", item).result();
        }
        assertThat(result.text()).isEqualTo("a 0,b 1,c 2");
        assertThat(done).hasSize(3);
    }

    @Test
    void issue9288NestedWorkflowsThatAreAnsweredWhileOthersRunStayDone() throws Exception {
        CountDownLatch last = new CountDownLatch(1);
        Workflow<String, String> slow = Workflow.from("slow", String.class)
                .then(held("held", last))
                .then(ask("third"))
                .build(String.class);
        Workflow<String, String> outer = Workflow.from("outer", String.class)
                .parallel(
                        nested("one", ask("first")).asStep(),
                        nested("two", ask("second")).asStep(),
                        slow.asStep())
                .map("text", String.class, (out, context) -> "all")
                .then(work("after"))
                .build(String.class);
        RunHandle run = runtime.start(outer, "x", o -> {});
        suspensions.acquire(2);
        RunHandle first = runtime.giveData(waiting(run.runId(), "first"), "1");
        RunHandle second = runtime.giveData(waiting(run.runId(), "second"), "2");
        last.countDown();
        suspensions.acquire();
        assertThat(first.result().status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(second.result().pendingApprovals()).hasSize(1);
        RunResult result = runtime.giveData(waiting(run.runId(), "third"), "3").result();
        assertThat(result.text()).isEqualTo("all after");
        assertThat(done).contains("first", "second", "third").hasSize(5);
    }

    @Test
    void issue10746AnIterationIsNotLostWhenASiblingEndsMeanwhile() throws Exception {
        CountDownLatch sibling = new CountDownLatch(1);
        Workflow<String, String> questions = Workflow.from("questions", String.class)
                .doUntil(ask("question"), (out, context) -> context.iteration() == 3, Repeat.atMost(3))
                .build(String.class);
        Workflow<String, Outputs> outer = Workflow.from("outer", String.class)
                .parallel(questions.asStep(), held("heavy", sibling))
                .build(Outputs.class);
        RunHandle run = runtime.start(outer, "x", o -> {});
        suspensions.acquire();
        RunHandle first = runtime.giveData(waiting(run.runId(), "question"), "1");
        suspensions.acquire(); // the second iteration asks while the sibling is executed
        sibling.countDown();
        assertThat(first.result().status()).isEqualTo(RunStatus.SUSPENDED);
        RunResult two = runtime.giveData(waiting(run.runId(), "question"), "2").result();
        assertThat(two.status()).isEqualTo(RunStatus.SUSPENDED);
        RunResult result =
                runtime.giveData(waiting(run.runId(), "question"), "3").result();
        assertThat(result.text()).contains("x 1 2 3", "heavy");
    }

    @Test
    void pullRequest16476TheNextIterationHasNoAnswerAndAStepAfterAnotherHasItsOutput() {
        Workflow<String, String> inner = Workflow.from("inner", String.class)
                .then(work("before"))
                .doWhile(ask("loop"), (out, context) -> context.iteration() < 2, Repeat.atMost(5))
                .build(String.class);
        Workflow<String, String> outer = Workflow.from("outer", String.class)
                .then(nested("middle", inner.asStep()))
                .build(String.class);
        RunId run = runtime.run(outer, "x", o -> {}).runId();
        RunResult again = runtime.giveData(waiting(run, "loop"), "1").result();
        assertThat(again.pendingApprovals()).hasSize(1);
        assertThat(runtime.giveData(waiting(run, "loop"), "2").result().text()).isEqualTo("x before 1 2");
    }

    @Test
    void issue21229OneQuestionOfANestedWorkflowIsOnePendingApproval() {
        Workflow<String, String> outer = Workflow.from("outer", String.class)
                .then(nested("middle", nested("lower", ask("inner")).asStep()))
                .build(String.class);
        RunId run = runtime.run(outer, "x", o -> {}).runId();
        assertThat(runtime.handle(run).pendingApprovals()).hasSize(1);
        assertThat(runtime.giveData(waiting(run, "inner"), "1").result().pendingApprovals())
                .isEmpty();
        assertThat(runtime.handle(run).pendingApprovals()).isEmpty();
    }
}
