package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handles of runs that another process executes, on a store that both use. */
@Timeout(60)
class HandleElsewhereTest {

    record None() {}

    private static final Approver ANN = Approver.of("ann");

    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Queue<String> effects = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("runs.db"));
    }

    private Tool work() {
        return Tool.builder("work", "Works.")
                .input(None.class)
                .repeatable()
                .handler((in, context) -> {
                    working.countDown();
                    Waiting.on(mayEnd);
                    effects.add("worked");
                    return "worked";
                })
                .build();
    }

    private Tool delete() {
        return Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> {
                    effects.add("deleted");
                    return "deleted";
                })
                .build();
    }

    private AgentRuntime runtime(Store store, Script script) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .wakeups(Wakeups.off()) // what a caller does is tested, and nothing does it before
                .closeGrace(Duration.ZERO)
                .agents(Agent.builder("lead")
                        .model(script.modelFor("lead"))
                        .tools(work(), delete())
                        .build())
                .build();
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, each -> Thread.ofVirtual().start(each));
    }

    @Test
    void aHandleInAnotherProcessFollowsTheRun() {
        Script script = Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Done"));
        try (AgentRuntime runtime = runtime(store(), script);
                AgentRuntime other = runtime(store(), script)) {
            RunHandle run = runtime.agent("lead").start("Go");
            Waiting.on(working);
            RunHandle there = other.handle(run.runId());
            CompletableFuture<RunResult> result = async(there::result);
            assertThat(there.status()).isEqualTo(RunStatus.RUNNING);
            assertThat(result).isNotDone();
            mayEnd.countDown();

            assertThat(result.join()).isEqualTo(run.result());
            assertThat(there.status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void aWaitWithATimeLimitEndsInAnotherProcessAndAfterAnAnswerToo() {
        Script script =
                Scripts.on("lead", Turn.calls("delete", Map.of()), Turn.calls("work", Map.of()), Turn.says("Done"));
        Duration brief = Duration.ofMillis(1);
        try (AgentRuntime runtime = runtime(store(), script);
                AgentRuntime other = runtime(store(), script)) {
            PendingApproval approval = runtime.agent("lead")
                    .start("Go")
                    .result(Duration.ofDays(1))
                    .pendingApprovals()
                    .getFirst();
            RunHandle answered = runtime.approve(approval, ANN);
            Waiting.on(working);
            for (RunHandle handle :
                    List.of(answered, runtime.handle(approval.rootRunId()), other.handle(approval.rootRunId()))) {
                assertThatThrownBy(() -> handle.result(brief)).isInstanceOf(RunNotEndedException.class);
            }
            mayEnd.countDown();
            for (RunHandle handle : List.of(answered, other.handle(approval.rootRunId()))) {
                assertThat(handle.result(Duration.ofDays(1)).text()).isEqualTo("Done");
            }
        }
    }

    @Test
    void theTimeOfAWaitIsThatOfTheRuntime() {
        ManualClock clock = new ManualClock();
        Script script = Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Done"));
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .timeSource(clock)
                .agents(Agent.builder("lead")
                        .model(script.modelFor("lead"))
                        .tools(work())
                        .build())
                .build()) {
            RunHandle run = runtime.agent("lead").start("Go");
            Waiting.on(working);
            CompletableFuture<RunResult> result = async(() -> run.result(Duration.ofSeconds(7)));
            clock.awaitAlarm(Duration.ofSeconds(7));
            assertThat(result).isNotDone();
            clock.advance(Duration.ofSeconds(7));
            assertThatThrownBy(result::join)
                    .hasCauseInstanceOf(RunNotEndedException.class)
                    .hasMessageContaining("after 7 s");
            mayEnd.countDown();
            assertThat(run.result().text()).isEqualTo("Done");
        }
    }

    @Test
    void aRunThatIsResumedWhileItsHandleReadsItIsWaitedFor() {
        Script script =
                Scripts.on("lead", Turn.calls("delete", Map.of()), Turn.calls("work", Map.of()), Turn.says("Done"));
        AtomicReference<Runnable> between = new AtomicReference<>(() -> {});
        Store slow = new ForwardingStore(store()) {
            @Override
            public Optional<RunRecord> find(RunId runId) {
                Optional<RunRecord> found = super.find(runId);
                between.getAndSet(() -> {}).run();
                return found;
            }
        };
        try (AgentRuntime runtime = runtime(slow, script);
                AgentRuntime other = runtime(store(), script)) {
            RunHandle run = runtime.agent("lead").start("Go");
            PendingApproval approval = run.result().pendingApprovals().getFirst();
            RunHandle there = runtime.handle(run.runId());
            between.set(() -> {
                RunHandle ignored = other.approve(approval, ANN);
                Waiting.on(working);
                between.set(mayEnd::countDown); // with the next look
            });

            assertThat(there.result().text()).isEqualTo("Done");
            assertThat(effects).containsExactly("deleted", "worked");
        }
    }

    @Test
    void anAnswerThatIsCarriedOutWhileItsHandleReadsTheRunIsWaitedFor() {
        Script script = Scripts.on("lead", Turn.calls("delete", Map.of()), Turn.says("Done"));
        AtomicReference<Runnable> between = new AtomicReference<>(() -> {});
        Store slow = new ForwardingStore(store()) {
            @Override
            public List<Delivery> undrained(RunId root) {
                between.getAndSet(() -> {}).run();
                return super.undrained(root);
            }
        };
        try (AgentRuntime runtime = runtime(slow, script);
                AgentRuntime other = runtime(store(), script)) {
            RunHandle run = runtime.agent("lead").start("Go");
            answerAndDie(store(), script, run.result().pendingApprovals().getFirst());
            between.set(
                    () -> assertThat(other.resume(run.runId(), o -> {}).result().text())
                            .isEqualTo("Done"));

            assertThat(runtime.handle(run.runId()).result().text()).isEqualTo("Done");
            assertThat(effects).containsExactly("deleted");
        }
    }

    /** Stores an answer as a process does that dies before it carries it out. */
    private void answerAndDie(Store store, Script script, PendingApproval approval) {
        Store dying = new ForwardingStore(store) {
            @Override
            public RunRecord claim(RunId runId, long epoch, long length, String owner) {
                throw new IllegalStateException("The process dies.");
            }
        };
        AgentRuntime dead = runtime(dying, script);
        assertThatThrownBy(() -> dead.approve(approval, ANN)).isNotNull();
    }

    @Test
    void aHandleInAnotherProcessCancelsTheRun() {
        Script script = Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Done"));
        try (AgentRuntime runtime = runtime(store(), script);
                AgentRuntime other = runtime(store(), script)) {
            RunHandle run = runtime.agent("lead").start("Go");
            Waiting.on(working);

            assertThat(other.handle(run.runId()).cancel()).isTrue();
            assertThat(other.handle(run.runId()).result().stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            mayEnd.countDown();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
        }
    }

    @Test
    void anAnswerReturnsOnceItIsStoredWhileASiblingIsExecutedElsewhere() {
        Script script =
                Scripts.on("lead", Turn.calls("work", Map.of()).and(Turn.calls("delete", Map.of())), Turn.says("Done"));
        try (AgentRuntime runtime = runtime(store(), script);
                AgentRuntime other = runtime(store(), script)) {
            RunHandle run = runtime.agent("lead").start("Go");
            Waiting.on(working);
            Waiting.until(
                    "the call waits",
                    () -> !other.handle(run.runId()).pendingApprovals().isEmpty());
            RunHandle there = other.handle(run.runId());

            RunHandle answered = other.approve(there.pendingApprovals().getFirst(), ANN);

            assertThat(there.pendingApprovals()).isEmpty();
            assertThat(answered.status()).isEqualTo(RunStatus.RUNNING);
            CompletableFuture<RunResult> result = async(answered::result);
            mayEnd.countDown();
            assertThat(result.join().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(effects).containsExactlyInAnyOrder("worked", "deleted");
        }
    }

    @Test
    void anAnswerToACallThatIsClosedBeforeItIsReadIsNotCarriedOut() {
        Store store = InMemoryStore.keepingEndedRuns();
        Script script = Scripts.of(
                Turns.of(
                        "lead",
                        Turn.delegates("writer", "Write").and(Turn.calls("delete", Map.of())),
                        Turn.says("Not needed")),
                Turns.saying("writer", "Written"));
        Store unread = new ForwardingStore(store) {
            @Override
            public List<Delivery> undrained(RunId root) {
                return List.of(); // the process does not get to read the answer
            }
        };
        try (AgentRuntime runtime = runtime(unread, script);
                AgentRuntime other = runtime(store, script)) {
            Agent lead = runtime.bind(Agent.builder("lead")
                    .model(script.modelFor("lead"))
                    .tools(delete())
                    .agents(Agent.builder("writer")
                            .description("Writes.")
                            .model(script.modelFor("writer"))
                            .build())
                    .build());
            CompletableFuture<RunHandle> answered = new CompletableFuture<>();
            RunResult result = lead.generate("Go", o -> o.cancelSiblings(true).onDelegationComplete(writer -> {
                RunHandle there = other.handle(writer.run().runId());
                Waiting.until("the call waits", () -> !there.pendingApprovals().isEmpty());
                answered.complete(other.approve(there.pendingApprovals().getFirst(), ANN));
                return DelegationVerdict.bail();
            }));

            assertThat(result.stopReason()).isInstanceOf(StopReason.Bailed.class);
            assertThat(effects).isEmpty();
            assertThatThrownBy(answered.join()::result)
                    .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                            .isEqualTo(ApprovalException.Kind.ALREADY_DECIDED));
            assertThat(answered.join().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void aReleasedRunIsOpenedAgainInAnotherProcess() {
        Script script = Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Done"));
        AgentRuntime runtime = runtime(store(), script);
        RunHandle run = runtime.agent("lead").start("Go");
        Waiting.on(working);
        runtime.close();
        mayEnd.countDown();

        assertThatThrownBy(run::result).isInstanceOfSatisfying(RunReleasedException.class, e -> assertThat(e.isStored())
                .isTrue());
        try (AgentRuntime other = runtime(store(), script)) {
            RunHandle there = other.handle(run.runId());
            assertThat(there.status()).isEqualTo(RunStatus.RUNNING);
            CompletableFuture<RunResult> waiting = async(there::result);

            RunResult resumed = other.resume(run.runId(), o -> {}).result();

            assertThat(resumed.text()).isEqualTo("Done");
            assertThat(waiting.join().text()).isEqualTo("Done");
        }
    }

    @Test
    void aCallerThatFollowsARunElsewhereIsReleasedWhenItsRuntimeIsClosed() {
        Script script = Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Done"));
        try (AgentRuntime runtime = runtime(store(), script)) {
            RunHandle run = runtime.agent("lead").start("Go");
            Waiting.on(working);
            AgentRuntime other = runtime(store(), script);
            RunHandle there = other.handle(run.runId());
            CompletableFuture<RunResult> waiting = async(there::result);
            other.close();

            assertThatThrownBy(waiting::join).hasCauseInstanceOf(RunReleasedException.class);
            assertThatThrownBy(there::result).isInstanceOf(RunReleasedException.class);
            mayEnd.countDown();
            assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void anAnswerThatWasStoredByAProcessThatDiedIsCarriedOutByResuming() {
        Script script = Scripts.on("lead", Turn.calls("delete", Map.of()), Turn.says("Done"));
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, script)) {
            RunHandle run = runtime.agent("lead").start("Go");
            answerAndDie(store, script, run.result().pendingApprovals().getFirst());
            CompletableFuture<RunResult> waiting = async(runtime.handle(run.runId())::result);
            assertThat(effects).isEmpty();

            assertThat(runtime.resume(run.runId(), o -> {}).result().text()).isEqualTo("Done");

            assertThat(waiting.join().text()).isEqualTo("Done");
            assertThat(effects).containsExactly("deleted");
        }
    }
}
