package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A runtime that does not say who may answer accepts no answer. */
class WhoMayApproveTest {

    private static final Approver ANN = Approver.of("ann");

    private final List<String> done = new ArrayList<>();
    private final Script script =
            Scripts.on("solo").calls("delete", "{}").then().says("Done");
    private final Tool delete = Steps.approvedTool("delete", (in, context) -> Steps.noted(done, "deleted", "ok"));
    private final Agent solo =
            Agent.builder("solo").model(script.modelFor("solo")).tools(delete).build();

    private AgentRuntimeBuilder runtime() {
        return AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .providers()
                .agents(solo);
    }

    @Test
    void withoutACheckNothingIsAcceptedStoredOrExecuted() {
        try (AgentRuntime runtime = runtime().build()) {
            RunResult waiting = runtime.agent("solo").generate("Go");
            PendingApproval approval = waiting.pendingApprovals().getFirst();
            int facts = runtime.store().read(waiting.runId(), 0).size();
            for (ApprovalAnswer answer : List.of(
                    ApprovalAnswer.approve(ANN),
                    ApprovalAnswer.decline(ANN, "no"),
                    ApprovalAnswer.data(ANN, Json.of(Map.of())))) {
                ApprovalException e =
                        catchThrowableOfType(ApprovalException.class, () -> runtime.answer(approval, answer, o -> {})
                                .result());
                assertThat(e.kind()).isEqualTo(ApprovalException.Kind.NOT_ALLOWED);
                assertThat(e).hasMessageContaining("approverCheck(...)").hasMessageContaining("anyoneMayApprove()");
            }
            assertThat(done).isEmpty();
            assertThat(runtime.store().read(waiting.runId(), 0)).hasSize(facts);
            assertThat(runtime.store().find(waiting.runId()).orElseThrow().status())
                    .isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void aRuntimeThatSaysSoAcceptsAnyApprover() {
        try (AgentRuntime runtime = runtime().anyoneMayApprove().build()) {
            RunResult waiting = runtime.agent("solo").generate("Go");
            runtime.approve(waiting.pendingApprovals().getFirst(), ANN).result();
            assertThat(done).containsExactly("deleted");
        }
    }

    @Test
    void theReasonOfAnApprovalIsInTheHistoryAndNotForTheModel() {
        try (AgentRuntime runtime = runtime().anyoneMayApprove().build()) {
            RunResult waiting = runtime.agent("solo").generate("Go");
            ApprovalAnswer why = ApprovalAnswer.approve(ANN, "Ticket 7.");

            RunResult done = runtime.answer(waiting.pendingApprovals().getFirst(), why, o -> {})
                    .result();

            assertThat(runtime.history(waiting.runId()))
                    .filteredOn(event -> event instanceof RunEvent.ToolCallAnswered)
                    .map(event -> ((RunEvent.ToolCallAnswered) event).reason())
                    .containsExactly("Ticket 7.");
            assertThat(done.messages()).noneMatch(message -> message.toString().contains("Ticket 7."));
        }
    }

    /** The machine's clock, on which an hour passes with each look while it is fast: the process was stopped, or its machine was. */
    private static final class HastyClock implements TimeSource {

        private final TimeSource machine = new SystemTimeSource();
        private final AtomicLong passed = new AtomicLong();
        private volatile boolean fast;

        @Override
        public Instant now() {
            return machine.now();
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime() + (fast ? passed.addAndGet(TimeUnit.HOURS.toNanos(1)) : passed.get());
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            return machine.schedule(delay, task);
        }
    }

    @Test
    void aStoppedProcessRejectsNoAnswerWhereAnyoneMayApprove() {
        HastyClock clock = new HastyClock();
        try (AgentRuntime runtime = runtime()
                .timeSource(clock)
                .anyoneMayApprove()
                .wakeups(Wakeups.off())
                .build()) {
            PendingApproval waiting =
                    runtime.agent("solo").generate("Go").pendingApprovals().getFirst();

            clock.fast = true;
            runtime.storeAnswer(waiting, ApprovalAnswer.approve(ANN));
            clock.fast = false;

            assertThat(runtime.recover().await()).hasSize(1);
            assertThat(done).containsExactly("deleted");
        }
    }

    @Test
    void aCheckThatFailsRejectsTheAnswerAndSaysWhy() {
        HastyClock clock = new HastyClock();
        AtomicReference<ApproverCheck> check = new AtomicReference<>((approval, approver) -> false);
        try (AgentRuntime runtime = runtime()
                .timeSource(clock)
                .approverCheck((approval, approver) -> check.get().mayAnswer(approval, approver))
                .build()) {
            PendingApproval waiting =
                    runtime.agent("solo").generate("Go").pendingApprovals().getFirst();

            assertRejected(runtime, waiting, "may not be answered by 'ann'.");
            check.set((approval, approver) -> {
                throw new IllegalStateException("no directory");
            });
            assertRejected(
                    runtime,
                    waiting,
                    "may not be answered by 'ann': the approver check threw java.lang.IllegalStateException.");
            check.set((approval, approver) -> {
                while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.park();
                }
                return true;
            });
            clock.fast = true;
            assertRejected(runtime, waiting, "may not be answered by 'ann': the approver check took longer than 30 s.");
            clock.fast = false;
            assertThat(done).isEmpty();
        }
    }

    private static void assertRejected(AgentRuntime runtime, PendingApproval waiting, String message) {
        assertThatThrownBy(() -> runtime.storeAnswer(waiting, ApprovalAnswer.approve(ANN)))
                .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                        .isEqualTo(ApprovalException.Kind.NOT_ALLOWED))
                .hasMessageEndingWith(message);
    }

    /** A runtime without agents. */
    private static AgentRuntime inbox(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .build();
    }

    /** A runtime that has the agent and wakes no run. */
    private AgentRuntime worker(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .agents(solo)
                .wakeups(Wakeups.off())
                .build();
    }

    @Test
    void anInboxWithoutTheAgentStoresAnAnswerThatAnotherRuntimeCarriesOut() {
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime inbox = inbox(store);
                AgentRuntime worker = worker(store)) {
            RunResult waiting = worker.agent("solo").generate("Go");
            PendingApproval approval =
                    inbox.handle(waiting.runId()).pendingApprovals().getFirst();

            inbox.storeAnswer(approval, ApprovalAnswer.approve(ANN));
            assertThat(done).isEmpty();
            assertThatThrownBy(() -> inbox.storeAnswer(approval, ApprovalAnswer.decline(ANN, "No.")))
                    .isInstanceOf(ApprovalException.class)
                    .hasMessageContaining("has been answered already: approved by " + ANN.id() + " at 20");

            assertThat(worker.recover().await())
                    .singleElement()
                    .matches(result -> result.status() == RunStatus.COMPLETED);
            assertThat(done).containsExactly("deleted");
            assertThatThrownBy(() -> inbox.storeAnswer(approval, ApprovalAnswer.decline(ANN, "No.")))
                    .hasMessageContaining("has been answered already: approved by " + ANN.id() + " at 20");
            assertThat(approval.toString())
                    .startsWith("PendingApproval[rootRunId=" + waiting.runId() + ", runId=" + waiting.runId())
                    .contains(", kind=approval, toolName=delete, ")
                    .doesNotContain("null");
        }
    }

    @Test
    void aStoredAnswerNeedsAnApproverWhoMay() {
        try (AgentRuntime runtime = runtime().build()) {
            RunResult waiting = runtime.agent("solo").generate("Go");
            PendingApproval approval = waiting.pendingApprovals().getFirst();

            assertThatThrownBy(() -> runtime.storeAnswer(approval, ApprovalAnswer.approve(ANN)))
                    .isInstanceOf(ApprovalException.class)
                    .hasMessageContaining("approverCheck(...)");
        }
    }

    @Test
    void theReasonOfAnApprovalIsNotBlank() {
        assertThatThrownBy(() -> ApprovalAnswer.approve(ANN, " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The reason of an approval is blank; give a text, or leave it out.");
    }

    @Test
    void aTestRuntimeAcceptsAnyApproverUnlessItHasACheck() {
        try (TestRuntime test = TestRuntime.builder(script).agents(solo).build()) {
            RunResult waiting = test.agent("solo").generate("Go");
            test.runtime().approve(waiting.pendingApprovals().getFirst(), ANN).result();
            assertThat(done).containsExactly("deleted");
        }
    }

    @Test
    void selfApprovalIsNotForbiddenToNobody() {
        try (AgentRuntime runtime = runtime().anyoneMayApprove().build()) {
            Agent agent = runtime.agent("solo");
            Steps.assertMisconfigured(
                    () -> agent.generate("Go", o -> o.selfApproval(false)),
                    "'selfApproval'",
                    "'requester' or 'resource'");
            assertThat(runtime.runs(RunFilter.ROOTS)).isEmpty();
            assertThat(agent.generate("Go", o -> o.selfApproval(false).requester("bob"))
                            .status())
                    .isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void aSubAgentThatForbidsItHasARequesterOrNoAnswer() {
        Script nested = Scripts.of(
                Turns.of("boss", Turn.calls("agent-solo", "{\"prompt\":\"delete\"}"), Turn.says("Done")),
                Turns.of("solo", Turn.calls("delete", "{}"), Turn.says("Done")));
        Agent boss = Agent.builder("boss")
                .model(nested.modelFor("boss"))
                .agents(Agent.builder("solo")
                        .description("Deletes.")
                        .model(nested.modelFor("solo"))
                        .tools(delete)
                        .defaultOptions(o -> o.selfApproval(false))
                        .build())
                .build();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .agents(boss)
                .anyoneMayApprove()
                .build()) {
            RunResult waiting = runtime.agent("boss").generate("Go");
            assertThatThrownBy(() -> runtime.approve(waiting.pendingApprovals().getFirst(), ANN)
                            .result())
                    .isInstanceOf(ApprovalException.class)
                    .hasMessageContaining("'requester' or 'resource'");
            assertThat(done).isEmpty();
        }
    }

    @Test
    void aRuntimeWithoutTheAgentSaysThatTheAnswerWasNotStoredAndHowToStoreIt() {
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime inbox = inbox(store);
                AgentRuntime worker = worker(store)) {
            RunResult waiting = worker.agent("solo").generate("Go");
            PendingApproval approval =
                    inbox.handle(waiting.runId()).pendingApprovals().getFirst();

            assertThatThrownBy(() -> inbox.approve(approval, ANN))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("There is no agent or workflow 'solo' in this runtime.")
                    .hasMessageContaining("The answer was not stored, and the call still waits.")
                    .hasMessageContaining("storeAnswer(...)");
            assertThat(inbox.handle(waiting.runId()).pendingApprovals()).containsExactly(approval);
        }
    }
}
