package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others tell a run while it is executed. */
@Timeout(30)
class InboxTest {

    record None() {}

    private static final Approver ANN = Approver.of("ann");

    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch deleted = new CountDownLatch(1);
    private final Queue<String> effects = new ConcurrentLinkedQueue<>();
    private final Queue<PendingApproval> asked = new ConcurrentLinkedQueue<>();
    private final CountDownLatch asking = new CountDownLatch(1);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnsweredCallIsExecutedWhileItsSiblingStillIs(boolean nested) throws Exception {
        try (AgentRuntime runtime = runtime(InMemoryStore.create(), nested)) {
            CompletableFuture<RunResult> result =
                    async(() -> runtime.agent("lead").generate("Go"));
            working.await();
            asking.await();
            CompletableFuture<RunResult> approver =
                    async(() -> runtime.approve(asked.element(), ANN).result());

            deleted.await(); // its sibling waits for that

            mayEnd.countDown();
            assertThat(result.join().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(approver.join().text()).isEqualTo(result.join().text());
            assertThat(effects).containsExactly("deleted", "worked");
        }
    }

    @Test
    void anAnswerThatAnotherProcessStoredIsCarriedOutWhileItsSiblingIsExecuted() throws Exception {
        Path file = folder.resolve("store.db");
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(file), true);
                AgentRuntime other = runtime(JdbcStore.sqlite(file), true)) {
            CompletableFuture<RunResult> result =
                    async(() -> runtime.agent("lead").generate("Go"));
            working.await();
            asking.await();
            CompletableFuture<RunResult> approver =
                    async(() -> other.approve(asked.element(), ANN).result());
            deleted.await(); // its sibling is executed so long
            mayEnd.countDown();

            assertThat(result.join().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(approver.join().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(effects).containsExactly("deleted", "worked");
        }
    }

    @Test
    void theSameAnswerOfTheSameApproverIsTakenOnceAndAnotherIsRejected() throws Exception {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), false)) {
            CompletableFuture<RunResult> result =
                    async(() -> runtime.agent("lead").generate("Go"));
            working.await();
            asking.await();
            PendingApproval approval = asked.element();
            List<CompletableFuture<RunResult>> same = Stream.generate(
                            () -> async(() -> runtime.approve(approval, ANN).result()))
                    .limit(4)
                    .toList();
            deleted.await();
            assertThatThrownBy(() ->
                            runtime.decline(approval, Approver.of("bob"), "No").result())
                    .isInstanceOf(ApprovalException.class);
            mayEnd.countDown();

            long taken = same.stream()
                    .filter(answer -> answer.handle((ended, e) -> e == null).join())
                    .count();
            assertThat(taken).isGreaterThanOrEqualTo(1);
            assertThat(result.join().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(effects).containsExactly("deleted", "worked");
        }
    }

    @Test
    void aDecisionThatACancelForestallsIsNotReportedAsTaken() throws Exception {
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime other = runtime(store, false)) {
            Store forestalled = new ForwardingStore(store) {
                @Override
                public Appended append(List<Append> appends) {
                    if (appends.stream().anyMatch(append -> !append.drains().isEmpty())) {
                        effects.add(
                                other.cancel(appends.getFirst().rootRunId()) ? "cancelled" : "could not be cancelled");
                        mayEnd.countDown();
                    }
                    return super.append(appends);
                }
            };
            AgentRuntime runtime = runtime(forestalled, false);
            CompletableFuture<RunResult> result =
                    async(() -> runtime.agent("lead").generate("Go"));
            working.await();
            asking.await();

            assertThatThrownBy(() -> runtime.approve(asked.element(), ANN).result())
                    .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                            .isEqualTo(ApprovalException.Kind.ALREADY_DECIDED));
            assertThat(result.join().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(effects).contains("cancelled").doesNotContain("deleted");
        }
    }

    @Test
    void aDecisionWhoseProcessDiedIsCarriedOutByTheNextRecovery() {
        Store store = InMemoryStore.keepingEndedRuns();
        mayEnd.countDown();
        RunResult waiting;
        try (AgentRuntime runtime = runtime(store, true)) {
            waiting = runtime.agent("lead").generate("Go");
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            PendingApproval approval = waiting.pendingApprovals().getFirst();
            Store dying = new ForwardingStore(store) {
                @Override
                public RunRecord claim(RunId runId, long epoch, long length, String owner) {
                    throw new IllegalStateException("The process dies.");
                }
            };
            AgentRuntime dead = runtime(dying, true);
            assertThatThrownBy(() -> dead.approve(approval, ANN).result()).isNotNull();
            assertThat(effects).containsExactly("worked");

            assertThat(runtime.handle(waiting.runId()).pendingApprovals()).isEmpty();
            runtime.recover().await();

            assertThat(effects).containsExactly("worked", "deleted");
            assertThat(runtime.resume(waiting.runId(), o -> {}).result().status())
                    .isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void theModelSeesAMessageInItsNextStep() throws Exception {
        Script script =
                Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Looked at it"), Turn.says("Not needed"));
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .providers()
                .agents(agent("lead", script).tools(work()).build())
                .build()) {
            CompletableFuture<RunResult> result =
                    async(() -> runtime.agent("lead").generate("Go"));
            working.await();
            RunId runId = runtime.runs(RunFilter.ROOTS).getFirst().runId();

            assertThat(runtime.tell(runId, "Look at the date too")).isPresent();
            mayEnd.countDown();

            assertThat(result.join().text()).isEqualTo("Looked at it");
            assertThat(texts(script.requests().getLast())).containsOnlyOnce("Look at the date too");
            assertThat(runtime.tell(runId, "Too late")).isEmpty();
            assertThat(runtime.tell(new RunId("run_missing"), "Hello")).isEmpty();
        }
    }

    @Test
    void aRunDoesNotEndBeforeItsModelHasSeenAMessage() throws Exception {
        AgentRuntime[] here = new AgentRuntime[1];
        Script script = Scripts.on(
                "lead",
                Turn.answers(request -> {
                    RunId runId = here[0].runs(RunFilter.ROOTS).getFirst().runId();
                    assertTold(here[0], runId);
                    return ModelResponse.text("First", Usage.NONE);
                }),
                Turn.says("With the date"));
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .providers()
                .agents(agent("lead", script).build())
                .build()) {
            here[0] = runtime;

            RunResult result = runtime.agent("lead").generate("Go", o -> o.thread("t"));

            assertThat(result.text()).isEqualTo("With the date");
            assertThat(texts(script.requests().getLast())).endsWith("Look at the date too");
            assertThat(runtime.threads().lastMessages(ThreadOwner.of(null), "t", 9))
                    .extracting(ThreadMessage::text)
                    .containsExactly("Go", "First", "Look at the date too", "With the date");
        }
    }

    private static void assertTold(AgentRuntime runtime, RunId runId) {
        if (runtime.tell(runId, "Look at the date too").isEmpty()) {
            throw new IllegalStateException("The run takes no message.");
        }
    }

    private static List<String> texts(ModelRequest request) {
        return request.messages().stream().map(Message::text).toList();
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, each -> Thread.ofVirtual().start(each));
    }

    private Tool work() {
        return Tool.builder("work", "Works.")
                .input(None.class)
                .handler((in, context) -> {
                    working.countDown();
                    Waiting.on(mayEnd);
                    effects.add("worked");
                    return "worked";
                })
                .build();
    }

    /** A lead whose step calls a tool that works and one that has to be approved, of its own or of a sub-agent. */
    private AgentRuntime runtime(Store store, boolean nested) {
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> {
                    effects.add("deleted");
                    deleted.countDown();
                    return "deleted";
                })
                .build();
        Script script = nested
                ? Scripts.of(
                        Turns.of(
                                "lead",
                                Turn.calls("work", Map.of()).and(Turn.delegates("janitor", "Clean")),
                                Turn.says("Done")),
                        Turns.of("janitor", Turn.calls("delete", Map.of()), Turn.says("Cleaned")))
                : Scripts.on(
                        "lead", Turn.calls("work", Map.of()).and(Turn.calls("delete", Map.of())), Turn.says("Done"));
        AgentBuilder lead = agent("lead", script);
        Agent whole = nested
                ? lead.tools(work())
                        .agents(agent("janitor", script).tools(delete).build())
                        .build()
                : lead.tools(work(), delete).build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .addListener(this::note)
                .agents(whole)
                .build();
    }

    private void note(RunEvent event) {
        if (event instanceof RunEvent.ToolCallApproval waits) {
            asked.add(waits.approval());
            asking.countDown();
        }
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }
}
