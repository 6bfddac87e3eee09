package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run is cancelled by another runtime than the one that is at work on it. */
@Timeout(20)
class CancelledElsewhereTest {

    private static final StopReason CANCELLED = new StopReason.Cancelled("caller");

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final CountDownLatch atWork = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch stored = new CountDownLatch(1);
    private final CountDownLatch late = new CountDownLatch(1);
    private final Queue<RunEvent> events = new ConcurrentLinkedQueue<>();
    private final Queue<RunResult> aborted = new ConcurrentLinkedQueue<>();

    @Test
    void whoIsAtWorkOnItEndsItAsCancelledWhenItWritesNext() throws Exception {
        Script script = Scripts.on("lead").calls("wait", "{}").then().says("Never said");
        cancelAtWork(agent("lead", script).tools(waiting()));

        assertThat(script.requests()).hasSize(1);
        assertThat(standing()).containsExactly(RunStatus.ABORTED);
    }

    @Test
    void runsBelowItAreCancelledToo() throws Exception {
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("worker", "Wait"), Turn.says("Never said")),
                Turns.of("worker", Turn.calls("wait", "{}"), Turn.says("Never said either")));
        Agent worker = agent("worker", script).tools(waiting()).build();
        cancelAtWork(agent("lead", script).agents(worker));

        assertThat(script.requests()).hasSize(2);
        assertThat(standing()).containsExactly(RunStatus.ABORTED, RunStatus.ABORTED);
    }

    @Test
    void aCallInFlightInAnotherProcessIsInterrupted(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("store.db");
        Script script = Scripts.on("lead").calls("wait", "{}").then().says("Never said");
        Agent lead = agent("lead", script).tools(waiting()).build();
        try (AgentRuntime one = runtime(JdbcStore.sqlite(file), new ManualClock(), lead);
                AgentRuntime other = runtime(JdbcStore.sqlite(file), new ManualClock(), lead)) {
            CompletableFuture<RunResult> run = async(() -> one.agent("lead").generate("Go"));
            atWork.await();
            RunId root = other.runs(RunFilter.ROOTS).getFirst().runId();

            assertThat(other.cancel(root)).isTrue();

            assertThat(run.get().stopReason()).isEqualTo(CANCELLED);
            assertThat(other.store().find(root).orElseThrow().epoch())
                    .as("its process has ended it itself")
                    .isEqualTo(1);
        }
    }

    @Test
    void aProcessThatDoesNotReactIsFencedAfterFiveSeconds() throws Exception {
        Script script = Scripts.on("lead").calls("wait", "{}").then().says("Never said");
        Agent lead = agent("lead", script).tools(waiting()).build();
        ManualClock clock = new ManualClock();
        Store deaf = new ForwardingStore(store) {
            @Override
            public DueRuns due(DueRuns.Query query) {
                return new DueRuns(List.of(), Map.of(), List.of(), List.of());
            }
        };
        try (AgentRuntime one = runtime(deaf, new ManualClock(), lead);
                AgentRuntime other = runtime(store, clock, lead)) {
            CompletableFuture<RunResult> run = async(() -> one.agent("lead").generate("Go"));
            atWork.await();
            RunId root = other.runs(RunFilter.ROOTS).getFirst().runId();
            CompletableFuture<Boolean> cancelled = async(() -> other.cancel(root));
            Waiting.until("the cancel is stored", () -> !store.undrained(root).isEmpty());
            assertThat(cancelled).isNotDone();

            clock.advance(Duration.ofSeconds(5));

            assertThat(cancelled.get()).isTrue();
            assertThat(standing()).containsExactly(RunStatus.ABORTED);
            mayEnd.countDown();
            assertThat(run.get().stopReason()).isEqualTo(CANCELLED);
        }
    }

    @Test
    void aCancelThatComesAfterTheEndIsTooLateAlsoIfAnEarlierOneWasStoredBefore() throws Exception {
        Script script = Scripts.on("lead", Turn.says("Done"));
        Agent lead = agent("lead", script).build();
        Store ends = new ForwardingStore(store) {
            @Override
            public DueRuns due(DueRuns.Query query) {
                return new DueRuns(List.of(), Map.of(), List.of(), List.of());
            }

            @Override
            public Appended append(List<Append> appends) {
                if (!appends.getLast().status().isEnded()) {
                    return super.append(appends);
                }
                atWork.countDown();
                await(mayEnd);
                Appended appended = super.append(appends);
                stored.countDown();
                await(late);
                return appended;
            }
        };
        try (AgentRuntime one = runtime(ends, new ManualClock(), lead);
                AgentRuntime other = runtime(store, new ManualClock(), lead)) {
            CompletableFuture<RunResult> run = async(() -> one.agent("lead").generate("Go"));
            atWork.await();
            RunId root = other.runs(RunFilter.ROOTS).getFirst().runId();
            CompletableFuture<Boolean> early = async(() -> other.cancel(root));
            Waiting.until("the cancel is stored", () -> !store.undrained(root).isEmpty());
            mayEnd.countDown();
            stored.await();

            boolean tooLate = one.cancel(root);
            late.countDown();

            assertThat(run.get().status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(early.get()).isFalse();
            assertThat(tooLate).isFalse();
        }
    }

    @Test
    void aRunWithoutALivingOwnerIsEndedAtOnceByAProcessWithoutItsAgent() throws Exception {
        Script script = Scripts.on("lead").calls("wait", "{}").then().says("Never said");
        Agent lead = agent("lead", script).tools(waiting()).build();
        try (AgentRuntime one = runtime(store, new ManualClock(), lead);
                AgentRuntime other = AgentRuntime.builder()
                        .store(store)
                        .providers()
                        .timeSource(new ManualClock())
                        .build()) {
            CompletableFuture<RunResult> run = async(() -> one.agent("lead").generate("Go"));
            atWork.await();
            RunRecord root = store.list(RunFilter.ROOTS).getFirst();
            store.release(root.runId(), root.epoch());

            assertThat(other.cancel(root.runId())).isTrue();

            assertThat(standing()).containsExactly(RunStatus.ABORTED);
            mayEnd.countDown();
            assertThat(run.get().stopReason()).isEqualTo(CANCELLED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILED", "UNREADABLE"})
    void aRunWhoseEndCannotBeStoredIsGivenBack(StoreException.Kind kind) throws Exception {
        Script script = Scripts.on("lead").calls("wait", "{}").then().says("Said");
        Agent lead = agent("lead", script).tools(waiting()).build();
        AtomicBoolean fails = new AtomicBoolean(true);
        Store failing = new ForwardingStore(store) {
            @Override
            public Appended append(List<Append> appends) {
                if (fails.get()) {
                    throw new StoreException(kind, "No end today.", null);
                }
                return super.append(appends);
            }
        };
        try (AgentRuntime one = runtime(store, new ManualClock(), lead);
                AgentRuntime other =
                        AgentRuntime.builder().store(failing).providers().build()) {
            CompletableFuture<RunResult> run = async(() -> one.agent("lead").generate("Go"));
            atWork.await();
            RunRecord root = store.list(RunFilter.ROOTS).getFirst();
            store.release(root.runId(), root.epoch());

            StoreException failed = catchThrowableOfType(StoreException.class, () -> other.cancel(root.runId()));

            assertThat(failed.kind()).isEqualTo(kind);
            Waiting.until("it is released", () -> recordOf(root.runId()).owner().isEmpty());
            assertThat(recordOf(root.runId()).epoch()).as("it was claimed").isGreaterThan(root.epoch());
            fails.set(false);
            assertThat(other.cancel(root.runId())).isTrue();
            mayEnd.countDown();
            assertThat(run.get().stopReason()).isEqualTo(CANCELLED);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private RunRecord recordOf(RunId runId) {
        return store.find(runId).orElseThrow();
    }

    private static AgentRuntime runtime(Store store, ManualClock clock, Agent agent) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .timeSource(clock)
                .agents(agent)
                .build();
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, each -> Thread.ofVirtual().start(each));
    }

    private void cancelAtWork(AgentBuilder builder) throws Exception {
        Agent lead = builder.defaultOptions(o -> o.onAbort(aborted::add)).build();
        try (AgentRuntime one = AgentRuntime.builder()
                        .store(store)
                        .providers()
                        .addListener(events::add)
                        .agents(lead)
                        .build();
                AgentRuntime other = AgentRuntime.builder()
                        .store(store)
                        .providers()
                        .agents(lead)
                        .build()) {
            CompletableFuture<RunResult> run =
                    CompletableFuture.supplyAsync(() -> one.agent("lead").generate("Go"), work -> Thread.ofVirtual()
                            .start(work));
            atWork.await();
            RunRecord root = store.list(RunFilter.ROOTS).getFirst();

            assertThat(other.cancel(root.runId())).isTrue();
            assertThat(other.cancel(root.runId())).isFalse();
            mayEnd.countDown();

            assertThat(run.get().stopReason()).isEqualTo(CANCELLED);
            assertThat(other.resume(root.runId(), o -> {}).result().stopReason())
                    .isEqualTo(CANCELLED);
            assertThat(aborted).as("who is at work on it tells its hooks").hasSize(1);
            assertThat(Routed.all(RunEvent.RunFinish.class, events))
                    .hasSize(standing().size())
                    .allMatch(event -> event.stopReason().equals(CANCELLED));
            assertThat(events).noneMatch(RunEvent.Error.class::isInstance);
        }
    }

    private List<RunStatus> standing() {
        return store.list(RunFilter.ALL).stream().map(RunRecord::status).toList();
    }

    private Tool waiting() {
        return Steps.tool("wait", (in, context) -> {
            atWork.countDown();
            mayEnd.await();
            return "waited";
        });
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }
}
