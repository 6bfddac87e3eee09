package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.WorkflowChangedException;
import dev.chargehand.event.WorkflowEvent.WorkflowStepStart;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that ask within each kind of entry; {@link ReferenceSuspensionTest} has the bugs of the reference implementation by their numbers. */
class WorkflowSuspensionTest {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    private final AgentRuntime runtime = runtime();

    private AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return runtime(store, workflows);
    }

    private static AgentRuntime runtime(Store store, Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .workflows(workflows)
                .anyoneMayApprove()
                .build();
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    private Step<String, String> ask(String id) {
        return Step.of(id, String.class, String.class, (in, context) -> {
            done.add(id);
            return context.resumeData(String.class)
                    .map(answer -> in + " " + answer)
                    .orElseGet(() -> context.suspend(id + "?"));
        });
    }

    private Step<String, String> work(String id) {
        return Step.of(id, String.class, String.class, (in, context) -> {
            done.add(id);
            return in + " " + id;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void inAParallelEachAnswerReachesItsStepAndNoOtherIsExecutedAgain(boolean firstFirst) {
        Workflow<String, Outputs> workflow = Workflow.from("flow", String.class)
                .parallel(ask("one"), ask("two"), work("three"))
                .build(Outputs.class);
        RunId run = runtime.run(workflow, "x", o -> {}).runId();
        RunResult half = runtime.giveData(run, firstFirst ? "one" : "two", firstFirst ? "1" : "2")
                .result();
        assertThat(half.pendingApprovals()).hasSize(1);
        RunResult result = runtime.giveData(run, firstFirst ? "two" : "one", firstFirst ? "2" : "1")
                .result();
        assertThat(result.text()).contains("x 1", "x 2", "x three");
        assertThat(done).containsExactlyInAnyOrder("one", "two", "three", "one", "two");
    }

    @Test
    void anAnswerIsCarriedOutWhileASiblingIsExecuted() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Step<String, String> quick = Step.of("quick", String.class, String.class, (in, context) -> {
            if (context.resumeData().isPresent()) {
                answered.countDown();
                return in;
            }
            return context.suspend("?");
        });
        Step<String, String> slow = Step.of("slow", String.class, String.class, (in, context) -> {
            answered.await();
            return in;
        });
        Workflow<String, Outputs> workflow =
                Workflow.from("flow", String.class).parallel(quick, slow).build(Outputs.class);
        RunHandle run = runtime.start(
                workflow,
                "x",
                o -> o.addListener(event -> {
                    if (event.type().equals("workflow-step-suspended")) {
                        asked.countDown();
                    }
                }));
        asked.await();
        assertThat(runtime.giveData(run.runId(), "quick", "now").result().status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void inABranchTheConditionIsNotCalledAgain() {
        ConcurrentLinkedQueue<String> conditions = new ConcurrentLinkedQueue<>();
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .branch(Branch.when("once", (in, context) -> conditions.add(in), ask("yes"))
                        .otherwise(work("no")))
                .then(work("after"))
                .build(String.class);
        RunId run = runtime.run(workflow, "x", o -> {}).runId();
        assertThat(runtime.giveData(run, "yes", "1").result().text()).isEqualTo("x 1 after");
        assertThat(conditions).hasSize(1);
        assertThat(done).containsExactly("yes", "yes", "after");
    }

    @Test
    void inALoopEachIterationAsksAnew() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .doUntil(ask("loop"), (out, context) -> context.iteration() == 3, Repeat.atMost(5))
                .build(String.class);
        RunId run = runtime.run(workflow, "x", o -> {}).runId();
        for (String answer : List.of("1", "2")) {
            assertThat(runtime.giveData(run, "loop", answer).result().status()).isEqualTo(RunStatus.SUSPENDED);
        }
        assertThat(runtime.giveData(run, "loop", "3").result().text()).isEqualTo("x 1 2 3");
        assertThat(done).hasSize(6);
    }

    @Test
    void nestedWorkflowsAskWithinAForeachAndAParallel() {
        Workflow<String, String> nested = Workflow.from("nested", String.class)
                .then(work("before"))
                .then(ask("inner"))
                .then(work("after"))
                .build(String.class);
        Workflow<String, Outputs> workflow = Workflow.from("flow", String.class)
                .foreach("items", (in, context) -> List.of("a", "b"), nested.asStep(), Each.concurrency(2))
                .map("text", String.class, (all, context) -> String.join(",", all))
                .parallel(nested.asStep().withId("again"), work("other"))
                .build(Outputs.class);
        WorkflowResult<Outputs> waiting = runtime.run(workflow, "x", o -> {});
        assertThat(waiting.pending()).hasSize(2).allMatch(request -> request.stepPath()
                .equals(Optional.of("inner")));
        RunResult result = null;
        for (int i = 0; i < 3; i++) {
            PendingApproval request =
                    runtime.handle(waiting.runId()).result().pendingApprovals().getFirst();
            result = runtime.giveData(request, "" + i).result();
        }
        assertThat(result).isNotNull();
        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(result.text()).contains("a before 0 after,b before 1 after before 2 after");
        assertThat(done.stream().filter("before"::equals)).hasSize(3);
        assertThat(runtime.history(waiting.runId()).stream()
                        .filter(WorkflowStepStart.class::isInstance)
                        .map(WorkflowStepStart.class::cast)
                        .filter(start -> start.nestedRunId() != null)
                        .map(WorkflowStepStart::stepPath))
                .containsExactly("items[0]", "items[1]", "again");
    }

    @Test
    void theOpenEntryMayChangeInStepsThatTheRunDoesNotCall() {
        Workflow<String, String> before = branching(ask("yes"), work("no"));
        RunId run = runtime.run(before, "x", o -> {}).runId();
        try (AgentRuntime without = runtime(branching(ask("other"), work("no")))) {
            assertThatThrownBy(() -> without.giveData(run, "yes", "1").result())
                    .isInstanceOf(WorkflowChangedException.class)
                    .hasMessageContaining("'branch branch-1: yes, no'");
        }
        try (AgentRuntime other = runtime(branching(ask("yes"), work("never")))) {
            assertThat(other.giveData(run, "yes", "1").result().text()).isEqualTo("x 1");
        }
    }

    /** Between the delivery of an answer and the look at who executes the run, another process carries the answer out. */
    @Test
    void anAnswerThatAnotherProcessCarriesOutAtOnceIsNoChangedDefinition() {
        RunId run = runtime.run(branching(ask("yes"), work("no")), "x", o -> {}).runId();
        try (AgentRuntime other = runtime(new FasterElsewhere(), branching(ask("yes"), work("never")))) {
            assertThat(other.giveData(run, "yes", "1").result().text()).isEqualTo("x 1");
        }
        assertThat(done).containsExactly("yes", "yes");
    }

    /** After a delivery, the next look at the run is older than the end of the run, which the other runtime executes. */
    private final class FasterElsewhere extends ForwardingStore {

        private boolean delivered;

        FasterElsewhere() {
            super(store);
        }

        @Override
        public Delivered deliver(Delivery delivery) {
            delivered = true;
            return super.deliver(delivery);
        }

        @Override
        public Optional<RunRecord> find(RunId runId) {
            Optional<RunRecord> found = super.find(runId);
            if (delivered) {
                delivered = false;
                assertThat(runtime.handle(runId).result().text()).isEqualTo("x 1");
            }
            return found;
        }
    }

    private static Workflow<String, String> branching(Step<String, String> yes, Step<String, String> no) {
        return Workflow.from("branching", String.class)
                .branch(Branch.when("yes", (in, context) -> true, yes).otherwise(no))
                .build(String.class);
    }
}
