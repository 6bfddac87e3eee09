package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunStream;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workflows that wait for a time: entries that sleep, and attempts that follow later. */
class WorkflowTimerTest {

    @TempDir
    private Path folder;

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ManualClock clock = new ManualClock();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    private final Workflow<String, String> sleeping = Workflow.from("sleeping", String.class)
            .sleep("cool-down", Duration.ofHours(2))
            .then(step("after", (in, context) -> in + " after"))
            .build(String.class);

    private AgentRuntime runtime(Wakeups wakeups, Workflow<?, ?>... workflows) {
        return runtime(store, wakeups, workflows);
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups, Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .timeSource(clock)
                .closeGrace(Duration.ofSeconds(1))
                .wakeups(wakeups)
                .workflows(workflows)
                .build();
    }

    private Step<String, String> step(String id, StepHandler<String, String> handler) {
        return Step.of(id, String.class, String.class, (in, context) -> {
            done.add(id);
            return handler.handle(in, context);
        });
    }

    private static void await(RunHandle run, String type) {
        try (RunWatch events = run.events()) {
            for (RunEvent event : events) {
                if (event.type().equals(type)) {
                    return;
                }
            }
        }
        throw new AssertionError("No " + type + " in run " + run.runId());
    }

    /** Waits until a run sleeps, and its process has let go of it. */
    private static void awaitSleep(RunHandle run) {
        await(run, "run-suspend");
        while (run.status() != RunStatus.SUSPENDED) {
            Thread.onSpinWait();
        }
    }

    /** Returns a result while time passes: a caller that waits for it looks again and again. */
    private <T> T passing(Supplier<T> result) {
        CompletableFuture<T> waiting =
                CompletableFuture.supplyAsync(result, task -> Thread.ofVirtual().start(task));
        while (!waiting.isDone()) {
            clock.advance(Duration.ofSeconds(1));
        }
        return waiting.join();
    }

    private static List<String> types(AgentRuntime runtime, RunId run) {
        return runtime.history(run).stream().map(RunEvent::type).toList();
    }

    @Test
    void aRunSleepsInItsStoreAndContinuesInTime() {
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            RunHandle run = runtime.start(sleeping, "tea", o -> {});
            awaitSleep(run);
            assertThat(run.pendingApprovals()).isEmpty();
            clock.advance(Duration.ofMinutes(119));
            assertThat(runtime.recover().runIds()).isEmpty();
            assertThat(run.status()).isEqualTo(RunStatus.SUSPENDED);
            clock.advance(Duration.ofMinutes(1));
            assertThat(passing(run::result).text()).isEqualTo("tea after");
            assertThat(types(runtime, run.runId()))
                    .containsExactly(
                            "run-start",
                            "workflow-start",
                            "workflow-step-waiting",
                            "run-suspend",
                            "run-resume",
                            "workflow-step-resumed",
                            "workflow-step-start",
                            "workflow-step-result",
                            "workflow-finish",
                            "run-finish");
        }
    }

    @Test
    void theCallerOfRunWaitsToo() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .sleep("cool-down", Duration.ofSeconds(100))
                .then(step("after", (in, context) -> in + " after"))
                .build(String.class);
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            WorkflowResult<String> result = passing(() -> runtime.run(workflow, "tea", o -> {}));
            assertThat(result.output()).isEqualTo("tea after");
            assertThat(result.steps()).singleElement().satisfies(step -> assertThat(step.path())
                    .isEqualTo("after"));
            assertThat(types(runtime, result.runId())).contains("run-suspend");
        }
    }

    @Test
    void withoutWakeUpsTheApplicationAdvancesIt() {
        try (AgentRuntime runtime = runtime(Wakeups.off())) {
            WorkflowResult<String> waiting = runtime.run(sleeping, "tea", o -> {});
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            RunId run = waiting.runId();
            Instant until = clock.now().plus(Duration.ofHours(2));
            assertThat(runtime.history(run))
                    .filteredOn(WorkflowEvent.WorkflowStepWaiting.class::isInstance)
                    .singleElement()
                    .satisfies(event -> assertThat(((WorkflowEvent.WorkflowStepWaiting) event).until())
                            .isBetween(until.minusSeconds(1), until));
        }
        try (AgentRuntime other = runtime(Wakeups.off(), sleeping)) {
            RunId run = other.submit(sleeping, "other", o -> {});
            Advanced first = other.advance(run, Until.never());
            assertThat(first).isInstanceOf(Advanced.Suspended.class);
            clock.advance(Duration.ofHours(2));
            assertThat(other.advance(run, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
        }
    }

    @Test
    void theCallerOfAnAnswerWaitsToo() {
        Step<String, String> ask =
                step("ask", (in, context) -> context.resumeData(String.class).orElseGet(() -> context.suspend("?")));
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(ask)
                .sleep("cool-down", Duration.ofSeconds(100))
                .build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .timeSource(clock)
                .anyoneMayApprove()
                .build()) {
            RunId run = runtime.run(workflow, "tea", o -> {}).runId();
            assertThatThrownBy(() -> runtime.wake(run, "ask"))
                    .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                            .isEqualTo(ApprovalException.Kind.UNKNOWN))
                    .hasMessageContaining("It waits for an answer; give one with");
            RunHandle answered = runtime.giveData(run, "ask", "coffee");
            assertThat(passing(answered::result).text()).isEqualTo("coffee");
        }
    }

    @Test
    void aSleepIsEndedEarly() {
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            RunHandle run = runtime.start(sleeping, "tea", o -> {});
            awaitSleep(run);
            assertThatThrownBy(() -> runtime.wake(run.runId(), "after"))
                    .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                            .isEqualTo(ApprovalException.Kind.UNKNOWN))
                    .hasMessageContaining("nothing at 'after' waits for a time. These do: cool-down.");
            assertThat(passing(runtime.wake(run.runId(), "cool-down")::result).text())
                    .isEqualTo("tea after");
            assertThatThrownBy(() -> runtime.wake(run.runId(), "cool-down"))
                    .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                            .isEqualTo(ApprovalException.Kind.ALREADY_DECIDED))
                    .hasMessageContainingAll("'cool-down'", "over, since the run has ended", "handle(runId)");
        }
    }

    @Test
    void aShortSleepKeepsTheRunHereAndIsEndedEarlyToo() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .sleep("moment", Duration.ofSeconds(9))
                .sleep("another", Duration.ofSeconds(9))
                .build(String.class);
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            RunHandle run = runtime.start(workflow, "tea", o -> {});
            Duration set = clock.awaitAlarm(Duration.ofSeconds(8), Duration.ofSeconds(9));
            clock.advance(set);
            try (RunWatch events = run.events()) {
                for (RunEvent event : events) {
                    if (event instanceof WorkflowEvent.WorkflowStepWaiting waiting
                            && waiting.stepPath().equals("another")) {
                        assertThatThrownBy(() -> runtime.wake(run.runId(), "moment"))
                                .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                                        .isEqualTo(ApprovalException.Kind.ALREADY_DECIDED))
                                .hasMessageContaining("'moment' may have waited for is over");
                        RunHandle ignored = runtime.wake(run.runId(), "another");
                    }
                }
            }
            assertThat(passing(run::result).text()).isEqualTo("tea");
            assertThat(types(runtime, run.runId())).doesNotContain("run-suspend");
        }
    }

    @Test
    void aTimeThatIsOverIsNotWaitedForAndOneTooFarAwayFailsTheRun() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .sleepUntil("until", (in, context) -> Instant.parse(in))
                .build(String.class);
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            assertThat(runtime.run(workflow, "2001-01-01T00:00:00Z", o -> {}).output())
                    .isEqualTo("2001-01-01T00:00:00Z");
            assertThatThrownBy(() -> runtime.run(workflow, "9001-01-01T00:00:00Z", o -> {}))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("would wait until 9001-01-01T00:00:00Z");
            assertThatThrownBy(() -> runtime.run(workflow, "soon", o -> {}))
                    .isInstanceOfSatisfying(
                            RunFailedException.class, e -> assertThat(e.code()).isEqualTo("hook-failed"));
        }
        assertThatThrownBy(() -> Workflow.from("flow", String.class).sleep("long", Duration.ofDays(367)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("at most 366 days");
    }

    @Test
    void anAttemptThatFollowsMuchLaterWaitsInTheStore() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .then(step("check", (in, context) -> {
                            if (context.attempt() < 3) {
                                throw new IllegalStateException("no");
                            }
                            return in + " " + context.attempt();
                        })
                        .retries(2, Backoff.fixed(Duration.ofMinutes(4))))
                .build(String.class);
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            RunHandle run = runtime.start(workflow, "tea", o -> {});
            awaitSleep(run);
            clock.advance(Duration.ofMinutes(3));
            assertThat(run.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(done).hasSize(1);
            clock.advance(Duration.ofMinutes(2));
            List<String> seen = new ArrayList<>();
            try (RunWatch events = run.events()) {
                for (RunEvent event : events) {
                    seen.add(event.type());
                    if (event.type().equals("run-suspend")
                            && seen.stream().filter("run-suspend"::equals).count() == 2) {
                        RunHandle ignored = runtime.wake(run.runId(), "check"); // the third attempt at once
                    }
                    if (event.type().equals("run-finish")) {
                        break;
                    }
                }
            }
            assertThat(passing(run::result).text()).isEqualTo("tea 3");
            assertThat(seen.stream().filter("workflow-step-start"::equals)).hasSize(1);
            assertThat(seen.stream().filter("workflow-step-retry"::equals)).hasSize(2);
        }
    }

    @Test
    void anItemThatWaitsForItsNextAttemptKeepsItsPlaceAfterARestart() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach("items", (in, context) -> List.of("a", "b"), waitingOnce(), Each.concurrency(1))
                .map("text", String.class, (texts, context) -> String.join(" ", texts))
                .build(String.class);
        Path file = folder.resolve("runs.db");
        RunHandle run;
        try (AgentRuntime first = runtime(JdbcStore.sqlite(file), Wakeups.off(), workflow)) {
            run = first.start(workflow, "x", o -> {});
            await(run, "workflow-step-retry");
        }
        assertThat(done).containsExactly("a 1");
        try (AgentRuntime second = runtime(JdbcStore.sqlite(file), Wakeups.off(), workflow)) {
            RunHandle resumed = second.resume(run.runId(), o -> {});
            assertThat(passing(resumed::result).text()).isEqualTo("a b");
        }
        assertThat(done).containsExactly("a 1", "a 2", "b 1", "b 2");
    }

    @Test
    void aRunWhoseItemWaitsForItsNextAttemptEndsAtOnceWhenItIsCancelledOrReleased() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach("items", (in, context) -> List.of("a", "b"), waitingOnce(), Each.concurrency(1))
                .map("text", String.class, (texts, context) -> String.join(" ", texts))
                .build(String.class);
        AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .timeSource(clock)
                .closeGrace(Duration.ofDays(1))
                .workflows(workflow)
                .build();
        try (runtime) {
            RunHandle cancelled = runtime.start(workflow, "x", o -> {});
            await(cancelled, "workflow-step-retry");
            cancelled.cancel();
            assertThat(cancelled.result().stopReason()).isInstanceOf(StopReason.Cancelled.class);
            await(runtime.start(workflow, "y", o -> {}), "workflow-step-retry");
        }
        assertThat(done).containsExactly("a 1", "a 1");
    }

    private Step<String, String> waitingOnce() {
        return Step.of("item", String.class, String.class, (in, context) -> {
                    done.add(in + " " + context.attempt());
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return in;
                })
                .retries(1, Backoff.fixed(Duration.ofSeconds(8)));
    }

    @Test
    void aRunThatSleepsIsCancelled() {
        try (AgentRuntime runtime = runtime(Wakeups.own())) {
            RunHandle run = runtime.start(sleeping, "tea", o -> {});
            awaitSleep(run);
            assertThat(run.cancel()).isTrue();
            assertThat(run.result().stopReason()).isInstanceOf(StopReason.Cancelled.class);
            clock.advance(Duration.ofHours(3));
            assertThat(done).isEmpty();
            assertThat(run.result().workflowSteps()).isEmpty();
        }
    }

    @Test
    void aStreamEndsWhenItsRunSleeps() {
        try (AgentRuntime runtime = runtime(Wakeups.own());
                RunStream stream = runtime.stream(sleeping, "tea", o -> {})) {
            List<String> seen = new ArrayList<>();
            stream.forEach(event -> seen.add(event.type()));
            assertThat(seen).endsWith("workflow-step-waiting", "run-suspend");
            assertThat(stream.result().status()).isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void anotherProcessWakesTheRunsOfOneThatIsGone() {
        Path file = folder.resolve("runs.db");
        List<RunId> runs = new ArrayList<>();
        try (AgentRuntime starts = runtime(JdbcStore.sqlite(file), Wakeups.own())) {
            for (int i = 0; i < 20; i++) {
                RunHandle run = starts.start(sleeping, "tea " + i, o -> {});
                awaitSleep(run);
                runs.add(run.runId());
            }
        }
        clock.advance(Duration.ofHours(2));
        try (AgentRuntime wakes = runtime(JdbcStore.sqlite(file), Wakeups.all(), sleeping);
                AgentRuntime wakesToo = runtime(JdbcStore.sqlite(file), Wakeups.all(), sleeping)) {
            for (RunId run : runs) {
                assertThat(passing(wakesToo.handle(run)::result).text()).endsWith("after");
                assertThat(types(wakes, run).stream().filter("workflow-step-resumed"::equals))
                        .hasSize(1);
            }
            assertThat(done).hasSize(20);
        }
    }
}
