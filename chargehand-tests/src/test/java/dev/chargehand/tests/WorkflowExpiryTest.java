package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call of a workflow's run means that nobody has answered in time; in its process, and in another one. */
class WorkflowExpiryTest extends ApprovalFixture {

    private static final Duration DAY = Duration.ofHours(24);

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    private AgentRuntime runtime(Workflow<?, ?> workflow) {
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .timeSource(clock)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .workflows(workflow)
                .build();
    }

    /** Start a run that waits, let a time pass, recover, and return the result. */
    private RunResult afterTime(Workflow<String, String> workflow, Duration time, boolean elsewhere) {
        try (AgentRuntime first = runtime(workflow)) {
            RunId run = first.run(workflow, "x", o -> {}).runId();
            assertThat(first.handle(run).status()).isEqualTo(RunStatus.SUSPENDED);
            if (!elsewhere) {
                clock.advance(time);
                return recovered(first);
            }
        }
        clock.advance(time);
        try (AgentRuntime second = runtime(workflow)) {
            return recovered(second);
        }
    }

    private static RunResult recovered(AgentRuntime runtime) {
        List<RunResult> results = runtime.recover().await();
        assertThat(results).hasSize(1);
        return results.getFirst();
    }

    private Step<String, String> asking() {
        return Step.of("ask", String.class, String.class, (in, context) -> {
            done.add("ask");
            return context.resumeData(String.class).orElseGet(() -> context.suspend("Well?"));
        });
    }

    private static Workflow<String, String> of(Step<String, String> step) {
        return Workflow.from("flow", String.class).then(step).build(String.class);
    }

    private static Workflow<String, String> nested(Step<String, String> step) {
        return Workflow.from("inner", String.class).then(step).build(String.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQuestionFailsItsStepWhoseRetriesAreForExceptions(boolean elsewhere) {
        RunResult result = afterTime(of(asking().retries(3, Backoff.fixed(Duration.ofMillis(1)))), DAY, elsewhere);
        assertThat(result.status()).isEqualTo(RunStatus.FAILED);
        assertThat(result.stopReason())
                .isInstanceOfSatisfying(StopReason.Failed.class, failed -> assertThat(failed.error())
                        .isEqualTo("step-failed"));
        assertThat(result.stopReason().explanation())
                .contains("Step 'ask' failed:")
                .contains("in time");
        assertThat(done).containsExactly("ask");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQuestionIsReplacedByTheFallbackOfItsStep(boolean elsewhere) {
        RunResult result =
                afterTime(of(asking().fallback((in, error, context) -> "instead: " + error)), DAY, elsewhere);
        assertThat(result.text()).startsWith("instead: ").contains("in time");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anItemThatAsksIsOneFailureOfMany(boolean elsewhere) {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach(
                        "all",
                        (in, context) -> List.of("a", "b"),
                        asking(),
                        Each.concurrency(2).collect())
                .map("text", String.class, (all, context) -> all.stream()
                        .map(outcome -> outcome.getClass().getSimpleName())
                        .reduce("", String::concat))
                .build(String.class);
        assertThat(afterTime(workflow, DAY, elsewhere).text()).isEqualTo("FailureFailure");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQuestionInANestedWorkflowFailsThatAndItsStepHasAFallback(boolean elsewhere) {
        Workflow<String, String> workflow =
                of(nested(asking()).asStep().fallback((in, error, context) -> "instead: " + error));
        assertThat(afterTime(workflow, DAY, elsewhere).text())
                .startsWith("instead: ")
                .contains("Step 'ask' failed:");
        try (AgentRuntime runtime = runtime(workflow)) {
            assertThat(runtime.store().list(RunFilter.ALL))
                    .extracting(run -> run.agentId() + " " + run.status())
                    .containsExactlyInAnyOrder("flow COMPLETED", "inner FAILED");
        }
    }

    @Test
    void aNestedWorkflowThatFailedSoIsTriedAgainAndAsksAgain() {
        Workflow<String, String> workflow =
                of(nested(asking()).asStep().retries(1, Backoff.fixed(Duration.ofMillis(1))));
        RunId run;
        try (AgentRuntime first = runtime(workflow)) {
            run = first.run(workflow, "x", o -> {}).runId();
        }
        clock.advance(DAY);
        try (AgentRuntime second = runtime(workflow)) {
            RunResult again = second.recover().runIds().isEmpty() ? null : pausing(second, run);
            assertThat(again).isNotNull();
            assertThat(again.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(done).containsExactly("ask", "ask");
            assertThat(second.giveData(again.pendingApprovals().getFirst(), "yes")
                            .result()
                            .text())
                    .isEqualTo("yes");
        }
    }

    /** Let the wait between the attempts pass. */
    private RunResult pausing(AgentRuntime runtime, RunId run) {
        clock.awaitAlarm(Duration.ofNanos(900_000), Duration.ofNanos(1_100_000));
        clock.advance(Duration.ofMillis(2));
        return runtime.handle(run).result();
    }

    private Workflow<String, String> cleaning(boolean below) {
        Agent cleaner = Agent.builder("cleaner")
                .model(Scripts.on(
                                "cleaner",
                                Turn.calls("deleteRecord", Map.of("id", "r1")),
                                Turn.says("I could not delete it."))
                        .modelFor("cleaner"))
                .tools(delete())
                .build();
        Step<String, String> clean = cleaner.asStep("clean", String.class, (input, context) -> "Clean " + input);
        return of(below ? nested(clean).asStep() : clean);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anApprovalInAnAgentIsAResultForItsModel(boolean below) {
        RunResult result = afterTime(cleaning(below), DAY, false);
        assertThat(result.text()).isEqualTo("I could not delete it.");
        assertThat(deleted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anApprovalOfAToolFailsItsStep(boolean elsewhere) {
        Tool delete = delete();
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .map("id", Json.class, (in, context) -> Json.of(Map.of("id", in)))
                .then(Step.tool(delete).fallback((in, error, context) -> Json.of(error)))
                .map("text", String.class, (out, context) -> out.text())
                .build(String.class);
        assertThat(afterTime(workflow, DAY, elsewhere).text()).contains("in time");
        assertThat(deleted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOutcomeThatNobodyKnowsFailsAfterAWeek(boolean below) {
        Step<String, String> send = Step.of("send", String.class, String.class, (in, context) -> {
                    done.add("send");
                    return in;
                })
                .fallback((in, error, context) -> "instead: " + error);
        Workflow<String, String> workflow = of(below ? nested(send).asStep() : send);
        try (AgentRuntime dying = AgentRuntime.builder()
                .store(Crashing.goneBefore(below ? 4 : 2, JdbcStore.sqlite(folder.resolve("runs.db"))))
                .timeSource(clock)
                .wakeups(Wakeups.off())
                .workflows(workflow)
                .build()) {
            assertThatThrownBy(() -> dying.run(workflow, "x", o -> {})).isInstanceOf(RunFailedException.class);
        }
        try (AgentRuntime runtime = runtime(workflow)) {
            assertThat(recovered(runtime).status()).isEqualTo(RunStatus.SUSPENDED);
            clock.advance(Duration.ofDays(7));
            assertThat(recovered(runtime).text()).startsWith("instead: ");
        }
        assertThat(done).containsExactly("send");
    }
}
