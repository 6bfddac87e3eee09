package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.RunTakenOverException;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process is stopped for longer than its lease, another takes its run over, and the first wakes. */
@Timeout(30)
class TakenOverTest {

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch wakes = new CountDownLatch(1);
    private final AtomicInteger effects = new AtomicInteger();
    private final List<AgentRuntime> runtimes = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        wakes.countDown();
        runtimes.forEach(AgentRuntime::close);
    }

    @Test
    void itsCallerGetsTheResultThatIsStored() throws Exception {
        RunStream run = stopped(lead(tool("wait", this::waits)), store());
        assertThat(takenOver(run, lead(tool("wait", () -> {}), "By the other")).text())
                .isEqualTo("By the other");
        wakes.countDown();

        List<RunEvent> events = new ArrayList<>();
        run.forEach(events::add);
        assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.result().text()).isEqualTo("By the other");
        assertThat(events.getLast()).isInstanceOfSatisfying(RunEvent.RunFinish.class, end -> assertThat(end.text())
                .isEqualTo("By the other"));
        assertThat(events).anyMatch(RunEvent.StreamResumed.class::isInstance);
        assertThat(events).anyMatch(RunEvent.RunResume.class::isInstance);
        assertThat(ids(events)).isEqualTo(ids(runtimes.getLast().history(run.runId())));
    }

    private static List<EventId> ids(List<RunEvent> events) {
        return events.stream().flatMap(event -> event.origin().id().stream()).toList();
    }

    @Test
    void itsCallerWaitsForTheResultIfThereIsNoneYet() throws Exception {
        RunStream run = stopped(lead(tool("wait", this::waits)), store());
        CountDownLatch mayAnswer = new CountDownLatch(1);
        CountDownLatch answering = new CountDownLatch(1);
        Script script = Scripts.on(
                "lead",
                Turn.does(answering::countDown).and(Turn.waitsFor(mayAnswer)).and(Turn.says("By the other")));
        AgentRuntime other = runtime(agent("lead", script).tools(tool("wait", () -> {})), store());
        die(run.runId());
        assertThat(other.recover().runIds()).containsExactly(run.runId());
        answering.await();
        wakes.countDown();
        for (RunEvent event : run) {
            assertThat(event).isNotInstanceOf(RunEvent.RunFinish.class);
            if (event instanceof RunEvent.ToolCall) {
                break;
            }
        }
        mayAnswer.countDown();

        assertThat(run.result().text()).isEqualTo("By the other");
    }

    @Test
    void itsCallerGetsTheSuspensionThatIsStored() throws Exception {
        RunStream run = stopped(lead(tool("wait", this::waits)), store());
        Script script = Scripts.on("lead").calls("ask", "{}").then().says("Asked");
        Tool ask = Steps.approvedTool("ask", (in, context) -> "asked");
        RunResult there = takenOver(run, agent("lead", script).tools(tool("wait", () -> {}), ask));
        wakes.countDown();

        assertThat(run.result().status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(run.result().pendingApprovals())
                .isEqualTo(there.pendingApprovals())
                .hasSize(1);
        assertThat(runtimes.getLast()
                        .approve(there.pendingApprovals().getFirst(), Approver.of("me"))
                        .result()
                        .text())
                .isEqualTo("Asked");
    }

    @Test
    void itsCallerGetsTheFailureThatIsStored() throws Exception {
        RunStream run = stopped(lead(tool("wait", this::waits)), store());
        Script script =
                Scripts.on("lead").failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No key.", null));
        assertThatThrownBy(() -> takenOver(run, agent("lead", script).tools(tool("wait", () -> {}))))
                .isInstanceOf(RunFailedException.class);
        wakes.countDown();

        assertThatThrownBy(run::result).isInstanceOfSatisfying(RunFailedException.class, e -> assertThat(e.code())
                .isEqualTo("model-authentication"));
    }

    @Test
    void aNestedRunThatWakesNoticesToo() throws Exception {
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("worker", "Go"), Turn.says("Stale")),
                Turns.of("worker", Turn.calls("wait", "{}"), Turn.says("Stale too")));
        Agent worker = agent("worker", script).tools(tool("wait", this::waits)).build();
        RunStream run = stopped(agent("lead", script).agents(worker), store());
        Script there = Scripts.of(Turns.saying("lead", "By the other"), Turns.saying("worker", "Below"));
        Agent same = agent("worker", there).tools(tool("wait", () -> {})).build();
        assertThat(takenOver(run, agent("lead", there).agents(same)).text()).isEqualTo("By the other");
        wakes.countDown();

        assertThat(run.result().text()).isEqualTo("By the other");
        assertThat(script.requests()).hasSize(2);
    }

    @Test
    void aModelThatFailsAfterTheTakeOverChangesNothing() throws Exception {
        Script script = Scripts.on(
                "lead",
                Turn.does(this::waits)
                        .and(Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No key.", null))));
        RunStream run = stopped(agent("lead", script), store());
        assertThat(takenOver(run, lead(tool("wait", () -> {}), "By the other")).text())
                .isEqualTo("By the other");
        wakes.countDown();

        assertThat(run.result().text()).isEqualTo("By the other");
    }

    @Test
    void itsTimeMayBeOverWhenItWakes() throws Exception {
        ManualClock clock = new ManualClock();
        AgentRuntime runtime = kept(AgentRuntime.builder()
                .store(store())
                .providers()
                .timeSource(clock)
                .agents(lead(tool("wait", this::waits))
                        .defaultOptions(o -> o.timeLimit(TimeLimit.TOOL, Duration.ofHours(2)))
                        .build())
                .build());
        RunStream run = runtime.agent("lead").stream("Go");
        stopped.await();
        assertThat(takenOver(run, lead(tool("wait", () -> {}), "By the other")).text())
                .isEqualTo("By the other");
        clock.advance(TimeLimit.RUN.byDefault()); // and no further, or its store would be late as well

        assertThat(run.result().text()).isEqualTo("By the other");
    }

    @Test
    void aRunThatDoesNotEndInTimeIsReportedAsTakenOver() throws Exception {
        RunStream run = stopped(
                lead(tool("wait", this::waits)).defaultOptions(o -> o.timeLimit(TimeLimit.RUN, Duration.ofSeconds(2))),
                store());
        try (Store store = store()) {
            RunRecord seen = store.find(run.runId()).orElseThrow();
            store.heartbeat("another", Duration.ofDays(1));
            store.claim(seen.runId(), seen.epoch(), seen.length(), "another");
        }
        wakes.countDown();

        List<RunEvent> events = new ArrayList<>();
        run.forEach(events::add);
        assertThat(events.getLast()).isInstanceOf(RunEvent.RunReleased.class);
        assertThatThrownBy(run::result).isInstanceOfSatisfying(RunTakenOverException.class, e -> {
            assertThat(e.code()).isEqualTo("run-taken-over");
            assertThat(e.retryable()).isFalse();
            assertThat(e.runId()).isEqualTo(run.runId());
        });
    }

    @Test
    void aStoreThatCannotBeReadIsReported() throws Exception {
        FaultyStore store = FaultyStore.over(store());
        RunStream run = stopped(lead(tool("wait", this::waits)), store);
        assertThat(takenOver(run, lead(tool("wait", () -> {}), "By the other")).text())
                .isEqualTo("By the other");
        for (int nth = 1; nth <= 100; nth++) {
            store.failOn(FaultyStore.Operation.FIND, store.count(FaultyStore.Operation.FIND) + nth);
        }
        wakes.countDown();

        assertThatThrownBy(run::result)
                .isInstanceOf(RunTakenOverException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void itsCallerMayStillCancelIt() throws Exception {
        RunStream run = stopped(lead(tool("wait", this::waits)), store());
        try (Store store = store()) {
            RunRecord seen = store.find(run.runId()).orElseThrow();
            store.claim(seen.runId(), seen.epoch(), seen.length(), "another");
        }
        wakes.countDown();
        run.cancel();

        assertThat(run.result().stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
        try (Store store = store()) {
            assertThat(store.find(run.runId()).map(RunRecord::status)).contains(RunStatus.ABORTED);
        }
    }

    /** The process is killed when it has accepted the cancel, before it can store the end of the run. */
    @Test
    void aCancelThatItHasAcceptedIsNotLost() throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        Store dying = new ForwardingStore(store()) {
            @Override
            public Appended append(List<Append> all) {
                if (killed.get()) {
                    waits();
                }
                return super.append(all);
            }
        };
        RunStream run = stopped(lead(tool("wait", this::waits)), dying);
        killed.set(true);
        assertThat(runtimes.getFirst().cancel(run.runId())).isTrue();

        RunResult there = takenOver(run, lead(tool("wait", () -> {}), "By the other"));

        assertThat(there.status()).isEqualTo(RunStatus.ABORTED);
        assertThat(there.stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
    }

    /** It is stopped in an append, whose time is over when it wakes. */
    @Test
    void itsStoreMayHaveFailedWhenItWakes() throws Exception {
        ManualClock clock = new ManualClock();
        RunStream run = takenOverInAppend(true, clock, Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(11));

        assertThat(run.result().text()).isEqualTo("By the other");
        assertThat(effects).hasValue(0);
    }

    /** It is stopped right after the intent of its call is stored, and the other has told of the call since. */
    @Test
    void aCallThatHadNotStartedDoesNotStart() throws Exception {
        AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);
        RunStream run = takenOverInAppend(false, new StoppedTime(passed), Duration.ofDays(1));
        passed.set(Duration.ofSeconds(31));
        wakes.countDown();

        assertThat(run.result().text()).isEqualTo("By the other");
        assertThat(effects).hasValue(0);
    }

    /** Lets a run be taken over that is stopped in its second append. */
    private RunStream takenOverInAppend(boolean before, TimeSource time, Duration storeTime)
            throws InterruptedException {
        AgentRuntime runtime = kept(AgentRuntime.builder()
                .store(stopsIn(before))
                .providers()
                .timeSource(time)
                .storeTimeLimit(storeTime)
                .agents(lead(tool("wait", effects::incrementAndGet)).build())
                .build());
        RunStream run = runtime.agent("lead").stream("Go");
        stopped.await();
        assertThat(takenOver(run, lead(tool("wait", () -> {}), "By the other")).text())
                .isEqualTo("By the other");
        return run;
    }

    /** Stops in its second append, before or after it has stored. */
    private Store stopsIn(boolean before) {
        AtomicInteger appends = new AtomicInteger();
        return new ForwardingStore(store()) {
            @Override
            public Appended append(List<Append> all) {
                boolean second = appends.incrementAndGet() == 2;
                if (second && before) {
                    waits();
                }
                Appended appended = super.append(all);
                if (second && !before) {
                    waits();
                }
                return appended;
            }
        };
    }

    private RunStream stopped(AgentBuilder builder, Store store) throws InterruptedException {
        RunStream run = runtime(builder, store).agent("lead").stream("Go");
        stopped.await();
        return run;
    }

    /** What comes of it when another process takes it over. */
    private RunResult takenOver(RunStream run, AgentBuilder builder) {
        die(run.runId());
        return runtime(builder, store()).resume(run.runId(), o -> {}).result();
    }

    private void die(RunId run) {
        try (Store store = store()) {
            Optional<RunRecord> seen = store.find(run);
            store.heartbeat(seen.orElseThrow().owner(), Duration.ZERO);
        }
    }

    private AgentRuntime runtime(AgentBuilder builder, Store store) {
        return kept(AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .closeGrace(Duration.ZERO)
                .agents(builder.build())
                .build());
    }

    private AgentRuntime kept(AgentRuntime runtime) {
        runtimes.add(runtime);
        return runtime;
    }

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("runs.db"));
    }

    private void waits() {
        stopped.countDown();
        try {
            wakes.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static AgentBuilder lead(Tool tool) {
        return agent("lead", Scripts.on("lead").calls("wait", "{}").then().says("Stale"))
                .tools(tool);
    }

    private static AgentBuilder lead(Tool tool, String answer) {
        return agent("lead", Scripts.on("lead").says(answer)).tools(tool);
    }

    private static Tool tool(String name, Runnable work) {
        return Steps.tool(name, (in, context) -> {
            work.run();
            return "done";
        });
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }
}
