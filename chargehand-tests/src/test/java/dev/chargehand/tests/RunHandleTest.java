package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.RunStream.OnClose;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handle of a run: the run does not depend on it, and it can be cancelled before it has started. */
@Timeout(30)
class RunHandleTest extends HoldingFixture {

    @Test
    void aRunContinuesWithoutItsHandle() {
        try (TestRuntime test = holding()) {
            RunId runId = test.agent("lead").start("Go").runId();
            Waiting.on(working);
            assertThat(test.runtime().handle(runId).status()).isEqualTo(RunStatus.RUNNING);
            mayEnd.countDown();

            assertThat(test.runtime().handle(runId).result().text()).isEqualTo("Held");
            assertThat(test.runtime().handle(runId).status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void aRunContinuesWhenItsStreamIsClosedIfItIsToContinue() {
        try (TestRuntime test = holding()) {
            RunId runId;
            try (RunStream run = test.agent("lead").stream("Go", o -> o.onClose(OnClose.CONTINUE))) {
                runId = run.runId();
                Waiting.on(working);
            }
            RunHandle handle = test.runtime().handle(runId);
            assertThat(handle.status()).isEqualTo(RunStatus.RUNNING);
            mayEnd.countDown();

            assertThat(handle.result().text()).isEqualTo("Held");
        }
    }

    @Test
    void aReaderIsLetGoWhenItsStreamIsClosedAndTheRunContinues() {
        try (TestRuntime test = holding()) {
            RunStream run = test.agent("lead").stream("Go", o -> o.onClose(OnClose.CONTINUE));
            Iterator<RunEvent> events = run.iterator();
            List<RunEvent> read = new CopyOnWriteArrayList<>();
            CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> events.forEachRemaining(read::add));
            Waiting.on(working);
            run.close();

            reader.join();
            assertThat(read).noneMatch(RunEvent.RunFinish.class::isInstance);
            mayEnd.countDown();
            assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void aRunThatIsCancelledWhileItWaitsForItsThreadLeavesNothing() {
        try (TestRuntime test = holding()) {
            RunHandle first = test.agent("lead").start("hold", o -> o.thread("t"));
            RunHandle second = test.agent("lead").start("gone", o -> o.thread("t"));
            assertThat(second.status()).isEqualTo(RunStatus.RUNNING);
            assertThat(test.store().find(second.runId())).isEmpty();

            assertThat(test.runtime().cancel(second.runId())).isTrue();

            assertThat(second.result().stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            assertThat(second.status()).isEqualTo(RunStatus.ABORTED);
            assertThat(second.cancel()).isFalse();
            assertThat(second.pendingApprovals()).isEmpty();
            mayEnd.countDown();
            assertThat(first.result().text()).isEqualTo("Held");
            assertThat(test.store().list(RunFilter.ROOTS)).hasSize(1);
            assertThat(test.agent("lead").generate("then", o -> o.thread("t")).text())
                    .isEqualTo("Next");
        }
    }

    @Test
    void aRunThatIsCancelledWhileItsInputIsProcessedLeavesNothing() {
        InputProcessor slow = InputProcessor.of("slow", (context, input) -> {
            working.countDown();
            Waiting.on(mayEnd);
            return Processed.unchanged();
        });
        try (TestRuntime test = holding()) {
            RunHandle run = test.agent("lead").start("Go", o -> o.addInputProcessor(slow));
            Waiting.on(working);

            assertThat(run.cancel()).isTrue();

            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(test.store().list(RunFilter.ROOTS)).isEmpty();
        } finally {
            mayEnd.countDown();
        }
    }

    @Test
    void anInterruptOfTheThreadThatWaitsEndsTheWaitAndLeavesTheRunAlone() throws Exception {
        try (TestRuntime test = holding()) {
            RunHandle run = test.agent("lead").start("Go");
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicBoolean interrupted = new AtomicBoolean();
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    run.result();
                } catch (ChargehandException e) {
                    thrown.set(e);
                }
                interrupted.set(Thread.currentThread().isInterrupted());
            });
            Waiting.on(working);
            waiting.interrupt();
            waiting.join();

            assertThat(thrown.get()).isInstanceOfSatisfying(ChargehandException.class, e -> assertThat(e.code())
                    .isEqualTo("interrupted"));
            assertThat(interrupted).isTrue();
            mayEnd.countDown();
            assertThat(run.result().text()).isEqualTo("Held");
        }
    }

    @Test
    void aWaitWithATimeLimitEndsAndLeavesTheRunAlone() {
        try (TestRuntime test = holding()) {
            RunHandle run = test.agent("lead").start("Go");
            Waiting.on(working);
            for (RunHandle handle : List.of(run, test.runtime().handle(run.runId()))) {
                assertThatThrownBy(() -> handle.result(Duration.ofMillis(1)))
                        .isInstanceOfSatisfying(RunNotEndedException.class, e -> {
                            assertThat(e.code()).isEqualTo("run-not-ended");
                            assertThat(e.retryable()).isTrue();
                        })
                        .hasMessageContainingAll(
                                "Run " + run.runId(),
                                "not ended after 0.001 s",
                                "continues",
                                "handle(runId)",
                                "cancel()");
            }
            assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
            mayEnd.countDown();
            assertThat(run.result(ChronoUnit.FOREVER.getDuration()).text()).isEqualTo("Held");
            assertThat(run.result(Duration.ofNanos(1)).text()).isEqualTo("Held");
        }
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // a null is what is tested
    void aTimeLimitIsAboveZero() {
        try (TestRuntime test = holding()) {
            RunHandle run = test.agent("lead").start("Go");
            for (Duration wrong : Arrays.asList(Duration.ZERO, Duration.ofSeconds(-1), null)) {
                assertThatThrownBy(() -> run.result(wrong))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContainingAll("Run " + run.runId(), "above zero", "result()", "status()");
            }
            mayEnd.countDown();
        }
    }

    @Test
    void aHandleReturnsTheResultAfterTheAnswerThatAnotherCallerGave() {
        Tool tool = Steps.approvedTool("pay", (in, context) -> "paid");
        try (TestRuntime test = Crew.playing(
                InMemoryStore.create(),
                Scripts.on("lead", Turn.calls("pay", Map.of()), Turn.says("Paid")),
                Agent.builder("lead").model("none/none").tools(tool).build())) {
            RunHandle run = test.agent("lead").start("Go");
            RunResult waiting = run.result();
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(run.result()).isEqualTo(waiting);
            assertThat(run.pendingApprovals()).isEqualTo(waiting.pendingApprovals());

            RunHandle answered = test.runtime().approve(run.pendingApprovals().getFirst(), ApprovalFixture.ANN);

            assertThat(answered.result().text()).isEqualTo("Paid");
            assertThat(run.result().text()).isEqualTo("Paid"); // though the store has forgotten it
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThatThrownBy(() -> test.runtime().handle(run.runId())).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void aSuspendedRunThatIsCancelledHasItsEndThoughTheStoreDoesNotKeepIt() {
        Tool tool = Steps.approvedTool("pay", (in, context) -> "paid");
        try (TestRuntime test = Crew.playing(
                InMemoryStore.create(),
                Scripts.on("lead", Turn.calls("pay", Map.of())),
                Agent.builder("lead").model("none/none").tools(tool).build())) {
            RunHandle run = test.agent("lead").start("Go");
            assertThat(run.result().status()).isEqualTo(RunStatus.SUSPENDED);

            List<Boolean> cancelled = List.of(run.cancel(), run.cancel());

            assertThat(cancelled).containsExactly(true, false);
            assertThat(run.result().stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            assertThat(run.status()).isEqualTo(RunStatus.ABORTED);
            assertThat(run.pendingApprovals()).isEmpty();
        }
    }

    @Test
    void onlyARootRunThatIsStoredHasAHandle() {
        try (TestRuntime test = holding()) {
            assertThatThrownBy(() -> test.runtime().handle(new RunId("run_missing")))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.NOT_FOUND));
        }
    }

    @Test
    void aStoreThatForgetsEndedRunsSaysSoWhereOneIsMissing() {
        RunId missing = new RunId("run_missing");
        try (AgentRuntime forgets = AgentRuntime.builder().providers().build();
                AgentRuntime keeps = AgentRuntime.builder()
                        .providers()
                        .store(InMemoryStore.keepingEndedRuns())
                        .build()) {
            assertThatThrownBy(() -> forgets.handle(missing))
                    .hasMessage(
                            "There is no run run_missing in the store. The store in memory forgets a run when it ends;"
                                    + " use InMemoryStore.keepingEndedRuns() or a JdbcStore to read it later.");
            assertThatThrownBy(() -> forgets.history(missing)).hasMessageContaining("keepingEndedRuns()");
            assertThatThrownBy(() -> keeps.handle(missing)).hasMessage("There is no run run_missing in the store.");
        }
    }
}
