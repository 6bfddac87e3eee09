package dev.chargehand.tests.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.StepProgress;
import dev.chargehand.workflow.view.StepState;
import dev.chargehand.workflow.view.WorkflowPicture;
import dev.chargehand.workflow.view.WorkflowProgress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How far a run has come, by its events. */
class WorkflowProgressTest {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    private AgentRuntime runtime(Workflow<?, ?> workflow) {
        return AgentRuntime.builder().store(store).workflows(workflow).build();
    }

    @Test
    void itCountsAttemptsAndForgetsTheErrorsOfThoseThatSucceed() {
        Step<Integer, Integer> second = Step.of("second", Integer.class, Integer.class, (number, context) -> {
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return number;
                })
                .retries(3, Backoff.fixed(Duration.ofMillis(1)));
        Workflow<Integer, Integer> workflow =
                Workflow.from("patient", Integer.class).then(second).build(Integer.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            RunId runId = runtime.run(workflow, 1, o -> {}).runId();
            StepProgress step =
                    WorkflowProgress.of(runtime.history(runId)).steps().getFirst();
            assertThat(step.attempts()).isEqualTo(2);
            assertThat(step.state()).isEqualTo(StepState.DONE);
            assertThat(step.error()).isEmpty();
            assertThat(step.duration()).isPresent();
            assertThat(step.startedAt()).isPresent();
        }
    }

    @Test
    void aLoopHasOneForEachIterationAndASkippedStepHasNoCall() {
        Step<Integer, Integer> more = Step.of("more", Integer.class, Integer.class, (number, context) -> number + 1);
        Workflow<Integer, Integer> workflow = Workflow.from("looping", Integer.class)
                .doUntil(more, (number, context) -> number >= 3, Repeat.atMost(5))
                .branch(Branch.<Integer, Integer>when("never", (number, context) -> false, more.withId("not"))
                        .otherwisePass())
                .build(Integer.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            RunId runId = runtime.run(workflow, 1, o -> {}).runId();
            assertThat(WorkflowProgress.of(runtime.history(runId)).steps())
                    .extracting(
                            StepProgress::stepPath,
                            StepProgress::iteration,
                            StepProgress::state,
                            StepProgress::attempts)
                    .containsExactly(
                            tuple("more", 1, StepState.DONE, 1),
                            tuple("more", 2, StepState.DONE, 1),
                            tuple("not", 1, StepState.SKIPPED, 0));
        }
    }

    @Test
    void aStepThatACancelInterruptsHasFailedAndBeforeThatItIsRunning() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Step<Integer, Integer> hanging = Step.of("hanging", Integer.class, Integer.class, (number, context) -> {
            started.countDown();
            new CountDownLatch(1).await();
            return number;
        });
        Workflow<Integer, Integer> workflow =
                Workflow.from("hung", Integer.class).then(hanging).build(Integer.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            RunHandle run = runtime.start(workflow, 1, o -> {});
            started.await();
            assertThat(states(runtime, run.runId())).containsExactly(StepState.RUNNING);
            run.cancel();
            run.result();
            assertThat(states(runtime, run.runId())).containsExactly(StepState.FAILED);
        }
    }

    @Test
    void anEntryThatSleepsIsStoppedWithItsRun() {
        Workflow<Integer, Integer> workflow = Workflow.from("resting", Integer.class)
                .sleep("rest", Duration.ofHours(2))
                .build(Integer.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .workflows(workflow)
                .wakeups(Wakeups.off())
                .build()) {
            RunId runId = runtime.run(workflow, 1, o -> {}).runId();
            assertThat(states(runtime, runId)).containsExactly(StepState.WAITING);
            runtime.cancel(runId);
            runtime.handle(runId).result();
            assertThat(states(runtime, runId)).containsExactly(StepState.STOPPED);
        }
    }

    @Test
    void anAnswerEndsTheWait() {
        Step<Integer, Integer> asking = Step.of("asking", Integer.class, Integer.class, (number, context) -> {
            Optional<Integer> answer = context.resumeData(Integer.class);
            return answer.isPresent() ? answer.get() : context.suspend("how many?");
        });
        Workflow<Integer, Integer> workflow =
                Workflow.from("curious", Integer.class).then(asking).build(Integer.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .workflows(workflow)
                .anyoneMayApprove()
                .build()) {
            RunId runId = runtime.run(workflow, 1, o -> {}).runId();
            assertThat(states(runtime, runId)).containsExactly(StepState.WAITING);
            runtime.giveData(runId, "asking", 4).result();
            assertThat(states(runtime, runId)).containsExactly(StepState.DONE);
        }
    }

    @Test
    void aToolThatHasToBeApprovedWaitsBeforeItsFirstAttempt() {
        Tool tool = Tool.of("pay", "Pays.", Map.class, (arguments, context) -> "paid")
                .requiringApproval();
        Workflow<Json, Json> workflow = Workflow.from("paying", JsonSchema.of(Json.of(Map.of())))
                .then(Step.tool(tool))
                .build(Json.class);
        try (AgentRuntime runtime = runtime(workflow)) {
            RunId runId = runtime.run(workflow, Json.of(Map.of()), o -> {}).runId();
            assertThat(WorkflowProgress.of(runtime.history(runId)).steps())
                    .extracting(StepProgress::stepPath, StepProgress::state, StepProgress::attempts)
                    .containsExactly(tuple("pay", StepState.WAITING, 0));
            assertThat(WorkflowPicture.of(workflow).with(runtime.history(runId)).mermaid())
                    .contains("n2[[\"pay<br/>tool pay\"]]", "class n2 waiting");
        }
    }

    private static List<StepState> states(AgentRuntime runtime, RunId runId) {
        return WorkflowProgress.of(runtime.history(runId)).steps().stream()
                .map(StepProgress::state)
                .toList();
    }
}
