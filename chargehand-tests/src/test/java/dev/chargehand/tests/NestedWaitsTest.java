package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Nested workflows that wait, below a run that does something else or nothing. */
class NestedWaitsTest {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ManualClock clock = new ManualClock();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    private final Workflow<String, String> sleeper = Workflow.from("sleeper", String.class)
            .sleep("cool-down", Duration.ofHours(2))
            .then(Step.of("after", String.class, String.class, (in, context) -> {
                done.add(in);
                return in + " after";
            }))
            .build(String.class);

    private final Workflow<String, String> asker = Workflow.from("asker", String.class)
            .then(Step.of("ask", String.class, String.class, (in, context) -> context.resumeData(String.class)
                    .orElseGet(() -> context.suspend(in + "?"))))
            .build(String.class);

    private AgentRuntime runtime() {
        return AgentRuntime.builder()
                .store(store)
                .timeSource(clock)
                .anyoneMayApprove()
                .build();
    }

    @Test
    void oneWakesInTimeBelowARunThatIsBusy() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .parallel(
                        sleeper.asStep(),
                        Step.of("busy", String.class, String.class, (in, context) -> {
                                    busy.await();
                                    return "idle";
                                })
                                .timeout(Duration.ofHours(5)))
                .map("text", String.class, (outputs, context) -> outputs.json().text())
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            RunHandle run = runtime.start(workflow, "tea", o -> o.timeLimit(TimeLimit.RUN, Duration.ofHours(5)));
            try (RunWatch events = run.events()) {
                for (RunEvent event : events) {
                    if (event instanceof RunEvent.RunSuspend && !event.path().isRoot()) {
                        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
                        clock.advance(Duration.ofHours(2));
                    }
                    if (event instanceof WorkflowEvent.WorkflowStepResult step
                            && step.stepId().equals("after")) {
                        busy.countDown(); // only now, so it has not waited for its sibling
                    }
                }
            }
            assertThat(run.result().text()).isEqualTo("{\"sleeper\":\"tea after\",\"busy\":\"idle\"}");
            assertThat(done).hasSize(1);
        }
    }

    @Test
    void oneIsWokenAndAnsweredByItsWholePath() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach("items", (in, context) -> List.of("a", "b"), asker.asStep(), Each.concurrency(2))
                .map("text", String.class, (texts, context) -> String.join(" ", texts))
                .then(sleeper)
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            WorkflowResult<String> waiting = runtime.run(workflow, "x", o -> {});
            assertThatThrownBy(() -> runtime.giveData(waiting.runId(), "items", "A"))
                    .hasMessageContaining(
                            "no step at 'items' waits for an answer. These do: items[0].ask, items[1].ask.");
            RunResult first =
                    runtime.giveData(waiting.runId(), "items[1].ask", "B").result();
            assertThat(first.status()).isEqualTo(RunStatus.SUSPENDED);
            RunHandle run = runtime.giveData(waiting.runId(), "items[0].ask", "A");
            try (RunWatch events = run.events()) {
                for (RunEvent event : events) {
                    if (event instanceof WorkflowEvent.WorkflowStepWaiting) {
                        RunHandle ignored = runtime.wake(run.runId(), "sleeper.cool-down");
                    }
                    if (event instanceof RunEvent.RunFinish && event.path().isRoot()) {
                        break;
                    }
                }
            }
            assertThat(runtime.handle(run.runId()).result().text()).isEqualTo("A B after");
        }
    }

    @Test
    void oneAfterTheOtherAsks() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach((in, context) -> List.of("a", "b", "c"), asker.asStep())
                .map("text", String.class, (texts, context) -> String.join(" ", texts))
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            RunHandle run = runtime.start(workflow, "x", o -> {});
            for (String item : List.of("a", "b", "c")) {
                assertThat(run.result().pendingApprovals())
                        .singleElement()
                        .satisfies(question -> assertThat(question.payload()).contains(Json.of(item + "?")));
                run = runtime.giveData(run.result().pendingApprovals().getFirst(), item.toUpperCase(Locale.ROOT));
            }
            assertThat(run.result().text()).isEqualTo("A B C");
            assertThat(runtime.history(run.runId()))
                    .filteredOn(event ->
                            event instanceof RunEvent.RunSuspend && event.path().isRoot())
                    .hasSize(3);
        }
    }

    @Test
    void oneAfterTheOtherSleeps() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach((in, context) -> List.of("a", "b"), sleeper.asStep())
                .map("text", String.class, (texts, context) -> String.join(" ", texts))
                .build(String.class);
        try (AgentRuntime runtime = runtime()) {
            RunHandle run = runtime.start(workflow, "x", o -> {});
            int woken = 0;
            try (RunWatch events = run.events()) {
                for (RunEvent event : events) {
                    if (event instanceof RunEvent.RunSuspend && event.path().isRoot()) {
                        assertThat(done).hasSize(woken++);
                        clock.advance(Duration.ofHours(2));
                    }
                }
            }
            assertThat(woken).isEqualTo(2);
            assertThat(run.result().text()).isEqualTo("a after b after");
        }
    }

    @Test
    void oneEndsWithTheRunAboveItThatIsCancelled() {
        Workflow<String, String> workflow =
                Workflow.from("flow", String.class).then(sleeper).build(String.class);
        try (AgentRuntime runtime = runtime()) {
            RunHandle run = runtime.start(workflow, "tea", o -> {});
            try (RunWatch events = run.events()) {
                for (RunEvent event : events) {
                    if (event instanceof RunEvent.RunSuspend && event.path().isRoot()) {
                        break;
                    }
                }
            }
            assertThat(run.cancel()).isTrue();
            assertThat(run.result().stopReason()).isInstanceOf(StopReason.Cancelled.class);
            clock.advance(Duration.ofHours(3));
            assertThat(runtime.history(run.runId()))
                    .filteredOn(RunEvent.RunFinish.class::isInstance)
                    .hasSize(2);
            assertThat(done).isEmpty();
        }
    }
}
