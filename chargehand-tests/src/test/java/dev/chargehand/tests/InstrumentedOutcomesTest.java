package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ModelException;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo.Kind;
import dev.chargehand.spi.Outcome;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every run and every call that has begun ends once, with what became of it. */
@Timeout(60)
class InstrumentedOutcomesTest extends CloseFixture {

    private static final Duration LIMIT = Duration.ofSeconds(7);

    private final Spans spans = new Spans();
    private final CountDownLatch inCall = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        over.countDown();
    }

    private String hang() {
        inCall.countDown();
        while (over.getCount() > 0) {
            try {
                over.await();
            } catch (InterruptedException e) {
                // deaf
            }
        }
        return "late";
    }

    private final Tool deaf = Steps.tool("deaf", (in, context) -> hang());

    private TestRuntime playing(Script script, Agent... agents) {
        return TestRuntime.builder(script)
                .manualClock()
                .agents(agents)
                .addInstrumentation(spans)
                .build();
    }

    /** What was abandoned ends its span at once, and leaves it when it ends itself. */
    private void assertClean() {
        spans.of(Kind.TOOL).forEach(Spans.Span::outcome);
        over.countDown();
        spans.assertClean();
    }

    @Test
    void aCallThatTakesTooLongHasTimedOut() throws Exception {
        try (TestRuntime test =
                playing(Scripts.on("solo", Turn.calls("deaf", "{}"), Turn.says("Done")), Crew.solo(deaf))) {
            var result = CompletableFuture.supplyAsync(
                    () -> test.agent("solo").generate("Go", o -> o.timeLimit(TimeLimit.TOOL, LIMIT)));
            inCall.await();
            test.clock().awaitAlarm(LIMIT);
            test.clock().advance(LIMIT);
            assertThat(result.get().text()).isEqualTo("Done");
        }
        assertThat(spans.outcomes(Kind.TOOL, Kind.RUN)).containsExactly("RUN solo: SUCCEEDED", "TOOL deaf: TIMED_OUT");
        assertClean();
    }

    @Test
    void aCallThatThrowsHasFailed() {
        Tool broken = Steps.tool("broken", (in, context) -> Steps.failing(new IllegalStateException("exploded")));
        try (TestRuntime test =
                playing(Scripts.on("solo", Turn.calls("broken", "{}"), Turn.says("Done")), Crew.solo(broken))) {
            test.agent("solo").generate("Go", o -> o.hookPolicy(Hook.ON_STEP_FINISH, HookPolicy.CONTINUE)
                    .onStepFinish(step -> Steps.failing(new IllegalStateException("hook"))));
        }
        assertThat(spans.outcomes(Kind.TOOL, Kind.RUN, Kind.HOOK))
                .containsExactly(
                        "RUN solo: SUCCEEDED",
                        "TOOL broken: FAILED",
                        "HOOK onStepFinish: FAILED",
                        "HOOK onStepFinish: FAILED");
        assertThat(spans.of(Kind.TOOL).getFirst().outcome().failure())
                .get()
                .hasToString("java.lang.IllegalStateException: exploded");
        assertClean();
    }

    @Test
    void everyAttemptAtAModelIsACallOfItsOwn() throws Exception {
        Duration wait = Duration.ofSeconds(3);
        ModelException busy = new ModelException(ModelException.Kind.OVERLOADED, true, wait, "Busy.", null);
        try (TestRuntime test = playing(Scripts.on("solo", Turn.failsWith(busy), Turn.says("Done")), Crew.solo())) {
            var result = CompletableFuture.supplyAsync(() -> test.agent("solo").generate("Go"));
            test.clock().awaitAlarm(wait);
            test.clock().advance(wait);
            assertThat(result.get().text()).isEqualTo("Done");
        }
        assertThat(spans.outcomes(Kind.MODEL))
                .containsExactly("MODEL scripted/solo: FAILED", "MODEL scripted/solo: SUCCEEDED");
        assertThat(spans.of(Kind.MODEL))
                .extracting(span -> span.info().attempt().orElseThrow())
                .containsExactly(1, 2);
        assertClean();
    }

    @Test
    void aRunThatFailsEndsWithItsFailure() {
        ModelException no = new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null);
        try (TestRuntime test = playing(Scripts.on("solo", Turn.failsWith(no)), Crew.solo())) {
            assertThatThrownBy(() -> test.agent("solo").generate("Go")).isInstanceOf(RunFailedException.class);
        }
        Outcome outcome = spans.of(Kind.RUN).getFirst().outcome();
        assertThat(outcome.kind()).isEqualTo(Outcome.Kind.FAILED);
        assertThat(outcome.runStatus()).contains(RunStatus.FAILED);
        assertThat(outcome.stopReason()).get().isInstanceOf(StopReason.Failed.class);
        assertThat(outcome.failure()).contains(no);
        assertClean();
    }

    @Test
    void aFailedDelegationHasFailedAndSoHasItsRun() {
        ModelException no = new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null);
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher", Turn.failsWith(no)));
        try (TestRuntime test = playing(script, Crew.supervisor())) {
            test.agent("supervisor").generate("Go");
        }
        assertThat(spans.outcomes(Kind.RUN, Kind.DELEGATION))
                .containsExactly(
                        "RUN supervisor: SUCCEEDED", "DELEGATION agent-researcher: FAILED", "RUN researcher: FAILED");
        assertClean();
    }

    @Test
    void whatIsCancelledHasBeenCancelled() throws Exception {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "P")),
                Turns.of("researcher", Turn.calls("deaf", "{}")));
        try (TestRuntime test = playing(script, Crew.supervisorOf(Crew.member("researcher", deaf)))) {
            RunStream run = test.agent("supervisor").stream("Go");
            inCall.await();
            run.cancel();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
        }
        assertThat(spans.outcomes(Kind.RUN, Kind.TOOL, Kind.DELEGATION))
                .containsExactly(
                        "RUN supervisor: CANCELLED",
                        "DELEGATION agent-researcher: FAILED",
                        "RUN researcher: CANCELLED",
                        "TOOL deaf: CANCELLED");
        assertClean();
    }

    @Test
    void aRunThatWaitsIsSuspendedAndBeginsAgainWhenItIsResumed() {
        Tool delete = Steps.approvedTool("delete", (in, context) -> "deleted");
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher", Turn.calls("delete", "{}"), Turn.says("Fact")));
        try (TestRuntime test = playing(script, Crew.supervisorOf(Crew.member("researcher", delete)))) {
            PendingApproval waits =
                    test.agent("supervisor").generate("Go").pendingApprovals().getFirst();
            assertThat(spans.outcomes(Kind.RUN, Kind.DELEGATION))
                    .containsExactly(
                            "RUN supervisor: SUSPENDED",
                            "DELEGATION agent-researcher: SUSPENDED",
                            "RUN researcher: SUSPENDED");
            assertThat(test.runtime()
                            .approve(waits, Approver.of("ann"))
                            .result()
                            .text())
                    .isEqualTo("Done");
        }
        assertThat(spans.outcomes(Kind.RUN, Kind.DELEGATION, Kind.TOOL).subList(3, 7))
                .containsExactly(
                        "RUN supervisor: SUCCEEDED",
                        "DELEGATION agent-researcher: SUCCEEDED",
                        "RUN researcher: SUCCEEDED",
                        "TOOL delete: SUCCEEDED");
        assertClean();
    }

    @Test
    void aRunOfARuntimeThatIsClosedIsReleased() throws Exception {
        Script script = Scripts.on("lead").calls("deaf", "{}");
        AgentRuntime runtime = AgentRuntime.builder()
                .store(store())
                .providers()
                .closeGrace(Duration.ZERO)
                .agents(agent("lead", script).tools(deaf).build())
                .addInstrumentation(spans)
                .build();
        RunStream run = runtime.agent("lead").stream("Go");
        inCall.await();
        runtime.close();
        assertThatThrownBy(run::result).isInstanceOf(RunReleasedException.class);
        assertThat(spans.outcomes(Kind.RUN, Kind.TOOL)).containsExactly("RUN lead: RELEASED", "TOOL deaf: RELEASED");
        assertThat(spans.of(Kind.STORE))
                .isNotEmpty()
                .extracting(span -> span.info().name())
                .contains("append to run", "heartbeat", "close")
                .noneMatch(name -> name.contains("run_"));
        assertClean();
    }

    @Test
    void aRunThatCannotStartHasFailed() {
        try (TestRuntime test = playing(Scripts.on("solo"), Crew.solo())) {
            assertThatThrownBy(() -> test.agent("solo").generate("Go", o -> o.activeTools("missing")));
        }
        assertThat(spans.outcomes(Kind.RUN)).containsExactly("RUN solo: FAILED");
        assertClean();
    }

    @Test
    void aListenerThatHangsHasTimedOut() throws Exception {
        try (TestRuntime test = TestRuntime.builder(Scripts.drafts("solo", "Done"))
                .manualClock()
                .unrecorded()
                .agents(Crew.solo())
                .addInstrumentation(spans)
                .build()) {
            var result = CompletableFuture.supplyAsync(() -> test.agent("solo")
                    .generate("Go", o -> o.timeLimit(TimeLimit.HOOK, LIMIT).addListener(event -> hang())));
            inCall.await();
            test.clock().awaitAlarm(LIMIT);
            test.clock().advance(LIMIT);
            assertThat(result.get().text()).isEqualTo("Done");
        }
        assertThat(spans.of(Kind.LISTENER)).hasSize(1);
        Waiting.until(
                "the call of the listener has ended",
                () -> spans.of(Kind.LISTENER).getFirst().hasEnded());
        assertThat(spans.outcomes(Kind.LISTENER)).containsExactly("LISTENER run-start: TIMED_OUT");
        assertClean();
    }

    /** Has a connection whose closer hangs. */
    private Agent silent() {
        return Agent.builder("solo")
                .model(new Model() {
                    @Override
                    public String name() {
                        return "silent";
                    }

                    @Override
                    public ModelResponse ask(ModelRequest request, ModelCall call) {
                        call.onCancel(InstrumentedOutcomesTest.this::hang);
                        throw new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null);
                    }
                })
                .build();
    }

    @Test
    void aCloserThatHangsHasTimedOutInItsRun() throws Exception {
        ManualClock clock = new ManualClock();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .timeSource(clock)
                .addInstrumentation(spans)
                .build()) {
            Agent silent = runtime.bind(silent());
            assertThatThrownBy(() -> silent.generate("Go")).isInstanceOf(RunFailedException.class);
            inCall.await();
            clock.advance(Duration.ofSeconds(10));
            Waiting.until(
                    "the closer has ended",
                    () -> spans.of(Kind.CLOSER).getFirst().hasEnded());
        }
        assertThat(spans.outcomes(Kind.CLOSER)).containsExactly("CLOSER model silent: TIMED_OUT");
        assertThat(spans.tree(Kind.RUN, Kind.CLOSER).lines()).containsExactly("RUN solo", "  CLOSER model silent");
        assertClean();
    }
}
