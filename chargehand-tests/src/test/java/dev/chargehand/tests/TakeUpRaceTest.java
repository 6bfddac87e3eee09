package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Recovery;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.Model;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run is taken up only as it was seen: who has looked at it before others went on with it must look again. */
@Timeout(20)
class TakeUpRaceTest {

    private static final Approver ANN = Approver.of("ann");
    private static final Approver BOB = Approver.of("bob");

    record Delete(String id) {}

    private final Queue<String> deleted = new ConcurrentLinkedQueue<>();
    private final CountDownLatch atWork = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnswerThatWasFoundGoodBeforeAnotherWasTakenIsRefusedAfter(boolean sameRuntime) throws Exception {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore slow = FaultyStore.over(store);
        AtomicReference<CompletableFuture<RunResult>> first = new AtomicReference<>();
        ApproverCheck check = (approval, approver) -> {
            if (approver.equals(BOB)) {
                slow.release();
                first.get().join(); // the first answer is carried out while this one is looked at
            }
            return true;
        };
        mayEnd.countDown();
        try (AgentRuntime one = runtime(slow, check);
                AgentRuntime other = runtime(store, check)) {
            List<PendingApproval> waiting = one.agent("lead").generate("Go").pendingApprovals();
            PendingApproval approval = waiting.getFirst();
            slow.hangOn(Operation.APPEND, slow.count(Operation.APPEND) + 1);
            first.set(async(() -> one.approve(approval, ANN).result()));
            slow.awaitHanging(1);

            assertThatThrownBy(() ->
                            (sameRuntime ? one : other).approve(approval, BOB).result())
                    .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                            .isEqualTo(ApprovalException.Kind.ALREADY_DECIDED));

            assertThat(deleted).containsExactly("r1");
            assertThat(first.get().join().pendingApprovals()).containsExactly(waiting.getLast());
            assertThat(one.approve(waiting.getLast(), BOB).result().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(deleted).containsExactly("r1", "r2");
        }
    }

    @Test
    void anAnswerThatWasFoundGoodIsRefusedWhileAnotherIsCarriedOut() throws Exception {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore slow = FaultyStore.over(store);
        ApproverCheck check = (approval, approver) -> {
            if (approver.equals(BOB)) {
                slow.release();
                Waiting.on(atWork);
            }
            return true;
        };
        try (AgentRuntime one = runtime(slow, check);
                AgentRuntime other = runtime(store, check)) {
            PendingApproval approval =
                    one.agent("lead").generate("Go").pendingApprovals().getFirst();
            slow.hangOn(Operation.APPEND, slow.count(Operation.APPEND) + 1);
            CompletableFuture<RunResult> first =
                    async(() -> one.approve(approval, ANN).result());
            slow.awaitHanging(1);
            CompletableFuture<RunResult> second =
                    async(() -> other.approve(approval, BOB).result());
            Waiting.on(atWork);
            assertThatThrownBy(() -> second.get(200, TimeUnit.MILLISECONDS)).isNotNull();
            mayEnd.countDown();

            assertThat(first.join().status()).isEqualTo(RunStatus.SUSPENDED);
            assertThatThrownBy(second::join).hasCauseInstanceOf(ApprovalException.class);
            assertThat(deleted).containsExactly("r1");
        }
    }

    @Test
    void aDecisionIsCarriedOutByAnotherApproverWhoResumesTheRunFirst() throws Exception {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore slow = FaultyStore.over(store);
        ApproverCheck anybody = (approval, approver) -> true;
        mayEnd.countDown();
        try (AgentRuntime one = runtime(slow, anybody);
                AgentRuntime other = runtime(store, anybody)) {
            List<PendingApproval> waiting = one.agent("lead").generate("Go").pendingApprovals();
            int claims = slow.count(Operation.CLAIM);
            // the first looks at what waits, the next two at the hooks, the fourth comes after the claim
            slow.hangOn(Operation.READ, slow.count(Operation.READ) + 4);
            CompletableFuture<RunResult> first =
                    async(() -> one.decline(waiting.getFirst(), BOB, "no").result());
            slow.awaitHanging(1);
            assertThat(slow.count(Operation.CLAIM)).isEqualTo(claims + 1);
            assertThatThrownBy(() -> other.approve(waiting.getFirst(), ANN).result())
                    .isInstanceOf(ApprovalException.class)
                    .satisfies(e -> assertThat(((ApprovalException) e).kind())
                            .isEqualTo(ApprovalException.Kind.ALREADY_DECIDED));
            RunResult last =
                    other.approve(waiting.getLast(), ANN).result(); // it overtakes the first, and carries both out
            slow.release();

            assertThat(first.join().runId()).isEqualTo(last.runId());
            assertThat(deleted).containsExactly("r2");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRunThatEndsWhileARecoveryLooksIsNotTakenUp(boolean keepsEndedRuns) throws Exception {
        FaultyStore slow = FaultyStore.over(keepsEndedRuns ? InMemoryStore.keepingEndedRuns() : InMemoryStore.create());
        Queue<RunEvent> events = new ConcurrentLinkedQueue<>();
        try (AgentRuntime runtime = builder(slow, (approval, approver) -> true, plain())
                .addListener(events::add)
                .build()) {
            CompletableFuture<RunResult> run = async(() -> runtime.agent("lead").generate("Go"));
            Waiting.on(atWork);
            slow.hangOn(
                    Operation.LIST,
                    slow.count(Operation.LIST) + 4); // what was left, the page, its end, what has expired
            CompletableFuture<Recovery> recovery = async(runtime::recover);
            slow.awaitHanging(1);
            mayEnd.countDown();
            assertThat(run.join().status()).isEqualTo(RunStatus.COMPLETED);
            slow.release();

            assertThat(recovery.join().runIds()).isEmpty();
            assertThat(Routed.all(RunEvent.RunFinish.class, events)).hasSize(1);
        }
    }

    @Test
    void aRunThatIsJustBeginningIsNotTakenUp() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AtomicReference<AgentRuntime> runtime = new AtomicReference<>();
        Queue<RunId> taken = new ConcurrentLinkedQueue<>();
        mayEnd.countDown();
        Runnable recovering = () -> taken.addAll(runtime.get().recover().runIds());
        try (AgentRuntime made = runtime(new AfterFirstAppend(store, recovering), (approval, approver) -> true)) {
            runtime.set(made);
            assertThat(made.agent("lead").generate("Go").status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(taken).isEmpty();
        }
    }

    private AgentRuntime runtime(Store store, ApproverCheck check) {
        return builder(store, check, deleting().requiresApproval().build()).build();
    }

    private Tool plain() {
        return deleting().build();
    }

    private Tool.Builder<Delete> deleting() {
        return Tool.builder("deleteRecord", "Deletes a record.")
                .input(Delete.class)
                .handler((in, context) -> {
                    deleted.add(in.id());
                    atWork.countDown();
                    Waiting.on(mayEnd);
                    return "deleted";
                });
    }

    private static AgentRuntimeBuilder builder(Store store, ApproverCheck check, Tool tool) {
        Script script = Scripts.on(
                "lead",
                Turn.calls("deleteRecord", Map.of("id", "r1")).and(Turn.calls("deleteRecord", Map.of("id", "r2"))),
                Turn.says("Deleted"));
        Model model = script.modelFor("lead");
        Agent lead = Agent.builder("lead")
                .instructions("Lead.")
                .model(model)
                .tools(tool)
                .build();
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.off()) // the callers race, and nothing else takes part
                .providers()
                .approverCheck(check)
                .agents(lead);
    }

    /** The common pool may have one thread only. */
    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
    }
}
