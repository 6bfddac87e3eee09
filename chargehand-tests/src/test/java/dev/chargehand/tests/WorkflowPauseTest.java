package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of workflows that pause before each round. */
class WorkflowPauseTest {

    @TempDir
    private Path folder;

    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    record Payment(int cents) {}

    private final Workflow<Integer, Integer> nested =
            Workflow.from("nested", Integer.class).then(step("below", 1)).build(Integer.class);

    private final Workflow<Integer, Integer> workflow = Workflow.from("pausing", Integer.class)
            .then(step("first", 1))
            .parallel("both", step("left", 10), step("right", 20))
            .map("sum", Integer.class, (out, context) -> out.get(step("left", 0)) + out.get(step("right", 0)))
            .foreach("items", (in, context) -> List.of(in, in), step("item", 1), Each.concurrency(1))
            .map("all", Integer.class, (all, context) -> all.size())
            .sleep("rest", Duration.ofMillis(1))
            .then(nested)
            .build(Integer.class);

    private Step<Integer, Integer> step(String id, int plus) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> {
            done.add(id);
            return in + plus;
        });
    }

    private static AgentRuntime runtime(Store store, Wakeups wakeups, Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(wakeups)
                .workflows(workflows)
                .anyoneMayApprove()
                .build();
    }

    @ParameterizedTest
    @EnumSource(WorkflowRunTest.Kind.class)
    void eachRoundWaitsUntilItIsWokenFromAnyProcess(WorkflowRunTest.Kind kind) throws Exception {
        Store store =
                switch (kind) {
                    case MEMORY -> InMemoryStore.keepingEndedRuns();
                    case SQLITE -> JdbcStore.sqlite(folder.resolve("runs.db"));
                    case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
                };
        try (AgentRuntime runtime = runtime(store, Wakeups.all(), workflow)) {
            RunId run = runtime.run(workflow, 1, o -> o.pauseAfterEach()).runId();
            assertPausedAfter(runtime, run);
            wake(runtime, run, "first");
            assertPausedAfter(runtime, run, "first");
            wake(runtime, run, "both");
            assertPausedAfter(runtime, run, "first", "left", "right");
            wake(runtime, run, "items");
            assertPausedAfter(runtime, run, "first", "left", "right", "item", "item");
            wake(runtime, run, "rest");
            assertPausedAfter(runtime, run, "first", "left", "right", "item", "item");
            runtime.wake(run, "nested");
            RunResult result = runtime.handle(run).result();
            assertThat(result.object()).contains(Json.of(3));
            assertThat(done).hasSize(6);
            assertThat(runtime.history(run).stream().map(RunEvent::type))
                    .containsSubsequence(
                            "workflow-step-waiting",
                            "workflow-step-resumed",
                            "workflow-step-start",
                            "workflow-step-result",
                            "workflow-step-waiting");
        }
    }

    @Test
    void aSleepOfANestedWorkflowThatIsOverIsNoUnknownOne() {
        Workflow<Integer, Integer> sleeping = Workflow.from("rest", Integer.class)
                .sleep("nap", Duration.ofHours(1))
                .sleep("another", Duration.ofHours(1))
                .build(Integer.class);
        Workflow<Integer, Integer> asking = Workflow.from("asking", Integer.class)
                .then(sleeping)
                .sleep("longer", Duration.ofHours(1))
                .then(step("last", 1))
                .build(Integer.class);
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), Wakeups.own(), asking)) {
            RunHandle started = runtime.start(asking, 1, o -> {});
            RunId run = started.runId();
            try (RunWatch events = started.events()) {
                Iterator<RunEvent> next = events.iterator();
                awaitSleep(next, "nap");
                assertThat(refusal(runtime, run, "rest.other")).isEqualTo(ApprovalException.Kind.UNKNOWN);
                assertThat(refusal(runtime, run, "longer")).isEqualTo(ApprovalException.Kind.UNKNOWN);
                assertThat(refusal(runtime, run, "rest.another")).isEqualTo(ApprovalException.Kind.UNKNOWN);
                RunHandle ignored = runtime.wake(run, "rest.nap");
                awaitSleep(next, "another");
                assertThat(refusal(runtime, run, "rest.nap")).isEqualTo(ApprovalException.Kind.ALREADY_DECIDED);
                RunHandle unused = runtime.wake(run, "rest.another");
                awaitSleep(next, "longer");
                assertThat(refusal(runtime, run, "rest.nap")).isEqualTo(ApprovalException.Kind.ALREADY_DECIDED);
                assertThat(refusal(runtime, run, "rest.other")).isEqualTo(ApprovalException.Kind.UNKNOWN);
            }
            assertThat(runtime.wake(run, "longer").result().object()).contains(Json.of(2));
        }
    }

    private static void awaitSleep(Iterator<RunEvent> events, String path) {
        while (!(events.next() instanceof WorkflowEvent.WorkflowStepWaiting waiting
                && waiting.stepPath().equals(path))) {
            // what comes before it
        }
    }

    private static ApprovalException.Kind refusal(AgentRuntime runtime, RunId run, String path) {
        return catchThrowableOfType(ApprovalException.class, () -> runtime.wake(run, path))
                .kind();
    }

    /** Between two looks of the caller at a paused run, another process wakes it and executes the rest. */
    @Test
    void aRunThatIsWokenWhileItIsLookedAtHasNotPaused() {
        Store store = InMemoryStore.keepingEndedRuns();
        Workflow<Integer, Integer> brief =
                Workflow.from("brief", Integer.class).then(step("only", 1)).build(Integer.class);
        try (AgentRuntime executing = runtime(store, Wakeups.off(), brief)) {
            RunId run = executing.run(brief, 1, o -> o.pauseAfterEach()).runId();
            Store slower = new ForwardingStore(store) {
                private int looks;

                @Override
                public List<Delivery> undrained(RunId root) {
                    if (++looks == 2) {
                        assertThat(executing.wake(run, "only").result().status())
                                .isEqualTo(RunStatus.COMPLETED);
                    }
                    return super.undrained(root);
                }
            };
            try (AgentRuntime looking = runtime(slower, Wakeups.off(), brief)) {
                assertThat(looking.handle(run).result().status()).isEqualTo(RunStatus.COMPLETED);
            }
        }
    }

    /** The result of a run that pauses is returned, and not waited for. */
    private void assertPausedAfter(AgentRuntime runtime, RunId run, String... steps) {
        RunResult result = runtime.handle(run).result();
        assertThat(result.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(result.pendingApprovals()).isEmpty();
        assertThat(done).containsExactlyInAnyOrder(steps);
    }

    private static void wake(AgentRuntime runtime, RunId run, String entry) {
        assertThatThrownBy(() -> runtime.wake(run, "nothing"))
                .isInstanceOf(ApprovalException.class)
                .hasMessageContaining("waits for a time");
        runtime.wake(run, entry);
    }

    @Test
    void aStepThatMustBeApprovedStillWaitsForThatAndARetryDoesNotPause() {
        Tool pay = Tool.builder("pay", "Pays.")
                .input(Payment.class)
                .requiresApproval(payment -> true)
                .handler((payment, context) -> {
                    done.add("pay");
                    throw new IllegalStateException("Once");
                })
                .build();
        Workflow<Payment, Json> paying = Workflow.from("paying", Payment.class)
                .then(Step.tool(pay, Payment.class, Json.class)
                        .retries(1, Backoff.exponential(Duration.ofMillis(1)))
                        .fallback((payment, error, context) -> Json.of("paid otherwise")))
                .build(Json.class);
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), Wakeups.own(), paying)) {
            RunHandle run = runtime.start(paying, new Payment(5), o -> o.pauseAfterEach());
            assertThat(run.result().pendingApprovals()).isEmpty();
            runtime.wake(run.runId(), "pay");
            RunResult waiting = run.result();
            assertThat(waiting.pendingApprovals()).hasSize(1);
            assertThat(done).isEmpty();
            RunResult result = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("bob"))
                    .result();
            assertThat(result.object()).contains(Json.of("paid otherwise"));
            assertThat(done).containsExactly("pay", "pay");
        }
    }

    @Test
    void aPausedRunIsCancelledAndAForkOfItMayContinueWithoutPauses() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), Wakeups.own(), workflow)) {
            RunId run = runtime.run(workflow, 1, o -> o.pauseAfterEach()).runId();
            RunResult fork = runtime.fork(run, f -> f.before("first").options(o -> o.pauseAfterEach(false)))
                    .result();
            assertThat(fork.object()).contains(Json.of(3));
            assertThat(runtime.cancel(run)).isTrue();
            assertThat(runtime.handle(run).result().status().isEnded()).isTrue();
        }
    }
}
