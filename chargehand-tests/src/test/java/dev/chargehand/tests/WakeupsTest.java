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
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs that a runtime resumes by itself. */
@Timeout(120)
class WakeupsTest {

    record None() {}

    private static final Approver ANN = Approver.of("ann");

    private final Queue<String> effects = new ConcurrentLinkedQueue<>();
    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @TempDir
    Path folder;

    @Test
    void aDecisionOfAnotherProcessResumesTheRunInTheOneThatWaitsForIt() {
        Path file = folder.resolve("store.db");
        try (AgentRuntime waits = runtime(JdbcStore.sqlite(file), Wakeups.own(), asking("lead"))) {
            RunResult waiting = waits.agent("lead").generate("Go");

            decideAndDie(JdbcStore.sqlite(file), waiting);

            awaitEnd(waits, waiting.runId());
            assertThat(effects).containsExactly("deleted");
        }
    }

    @Test
    void aCallWhoseTimeIsOverIsDeclined() {
        ManualClock clock = new ManualClock();
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), Wakeups.own(), clock, asking("lead"))) {
            RunResult waiting = runtime.agent("lead").generate("Go");
            clock.advance(Duration.ofHours(25));

            awaitEnd(runtime, waiting.runId());
            assertThat(runtime.handle(waiting.runId())
                            .result()
                            .toolResults()
                            .getFirst()
                            .error()
                            .orElseThrow())
                    .contains("No answer arrived in time");
            assertThat(effects).isEmpty();
        }
    }

    @Test
    void aCallOfANestedRunIsDeclinedInTimeWhileItsSiblingIsExecuted() {
        Script script = Scripts.of(
                Turns.of(
                        "lead",
                        Turn.calls("work", Map.of()).and(Turn.delegates("janitor", "Clean")),
                        Turn.says("Done")),
                Turns.of("janitor", Turn.calls("delete", Map.of()), Turn.says("Not cleaned")));
        Agent janitor = agent("janitor", script).tools(delete()).build();
        Agent lead = agent("lead", script).tools(work()).agents(janitor).build();
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), Wakeups.own(), lead)) {
            CompletableFuture<RunResult> result = CompletableFuture.supplyAsync(
                    () -> runtime.agent("lead").generate("Go", o -> o.approvalExpiry(Duration.ofMillis(50))),
                    work -> Thread.ofVirtual().start(work));
            Waiting.on(working);

            Waiting.until("the sub-agent has ended", () -> runtime.runs(RunFilter.ALL).stream()
                    .anyMatch(run -> !run.isRoot() && run.status() == RunStatus.COMPLETED));

            assertThat(effects).isEmpty();
            mayEnd.countDown();
            assertThat(result.join().text()).isEqualTo("Done");
        }
    }

    @Test
    void aRunWhoseProcessIsStoppedContinuesInAnother() {
        Store store = InMemoryStore.keepingEndedRuns();
        Script first = Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Stale"));
        Script second = Scripts.on("lead", Turn.says("By the other"));
        try (AgentRuntime stopped = runtime(
                        store, Wakeups.own(), agent("lead", first).tools(work()).build());
                AgentRuntime other = runtime(
                        store,
                        Wakeups.all(),
                        agent("lead", second).tools(work()).build())) {
            CompletableFuture<RunResult> result =
                    CompletableFuture.supplyAsync(() -> stopped.agent("lead").generate("Go"), work -> Thread.ofVirtual()
                            .start(work));
            Waiting.on(working);
            RunRecord run = other.runs(RunFilter.ROOTS).getFirst();

            store.heartbeat(run.owner(), Duration.ZERO);

            awaitEnd(other, run.runId());
            mayEnd.countDown();
            assertThat(result.join().text()).isEqualTo("By the other");
            assertThat(other.store().find(run.runId()).orElseThrow().attempts()).isZero();
        }
    }

    @Test
    void twoProcessesThatResumeEverythingResumeEachRunOnce() {
        int runs = 20;
        Path file = folder.resolve("store.db");
        List<RunResult> waiting = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            try (AgentRuntime asks = runtime(JdbcStore.sqlite(file), Wakeups.off(), asking("lead"))) {
                waiting.add(asks.agent("lead").generate("Go"));
            }
        }
        for (RunResult each : waiting) {
            decideAndDie(JdbcStore.sqlite(file), each);
        }
        try (AgentRuntime one = runtime(JdbcStore.sqlite(file), Wakeups.all(), finishing(runs));
                AgentRuntime two = runtime(JdbcStore.sqlite(file), Wakeups.all().concurrency(3), finishing(runs))) {
            waiting.forEach(each -> awaitEnd(one, each.runId()));
            assertThat(two.runs(RunFilter.ROOTS)).hasSize(runs);
        }
        assertThat(effects).hasSize(runs);
    }

    @Test
    void aRunOfAnUnknownAgentIsLeftAlone() {
        Store store = InMemoryStore.keepingEndedRuns();
        RunResult unknown = suspended(store, "ghost");
        RunResult known = suspended(store, "lead");
        decideAndDie(store, unknown);
        decideAndDie(store, known);

        try (AgentRuntime runtime = runtime(store, Wakeups.all(), finishing(1))) {
            awaitEnd(runtime, known.runId());
            RunRecord left = store.find(unknown.runId()).orElseThrow();
            assertThat(left.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(left.attempts()).isZero();
        }
    }

    @Test
    void aRunThatMakesNoProgressIsTriedTenTimesAndLeftToAHuman() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        RunResult waiting = suspended(store, "lead");
        decideAndDie(store, waiting);
        ManualClock clock = new ManualClock();
        try (AgentRuntime runtime = runtime(full(store), Wakeups.all(), clock, finishing(1))) {
            for (int attempt = 1; attempt <= 10; attempt++) {
                int expected = attempt;
                Waiting.until("attempt " + attempt, () -> {
                    clock.advance(Duration.ofMinutes(1));
                    return store.find(waiting.runId()).orElseThrow().attempts() >= expected;
                });
            }
        }
        try (AgentRuntime human = runtime(store, Wakeups.off(), finishing(1))) {
            assertThat(human.recover().stuck()).containsExactly(waiting.runId());
            assertThat(store.find(waiting.runId()).orElseThrow().attempts()).isEqualTo(10);
            assertThat(effects).isEmpty();
        }
    }

    private static Store full(Store store) {
        return new ForwardingStore(store) {
            @Override
            public Appended append(List<Append> appends) {
                throw new StoreException(StoreException.Kind.FAILED, "No room.", null);
            }
        };
    }

    @Test
    void aTimeOfDayThatIsSetBackPutsOffNoAttempt() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        RunResult waiting = suspended(store, "lead");
        decideAndDie(store, waiting);
        SteppedTime time = new SteppedTime();
        try (AgentRuntime runtime = runtime(full(store), Wakeups.all(), time, finishing(1))) {
            for (int attempt = 1; attempt <= 3; attempt++) {
                int expected = attempt;
                Waiting.until(
                        "attempt " + attempt,
                        () -> store.find(waiting.runId()).orElseThrow().attempts() == expected);
                time.step(Duration.ofHours(-1));
                time.clock.advance(Duration.ofSeconds(5));
            }
            assertThat(runtime.store().find(waiting.runId()).orElseThrow().status())
                    .isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void atLeastOneRunIsResumedAtOnce() {
        assertThatThrownBy(() -> Wakeups.all().concurrency(0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("above zero");
    }

    private RunResult suspended(Store store, String agent) {
        AgentRuntime asks = runtime(store, Wakeups.off(), asking(agent));
        return asks.agent(agent).generate("Go");
    }

    /** Stores a decision as a process does that dies before it resumes the run. */
    private void decideAndDie(Store store, RunResult waiting) {
        PendingApproval approval = waiting.pendingApprovals().getFirst();
        Store dying = new ForwardingStore(store) {
            @Override
            public RunRecord claim(RunId runId, long epoch, long length, String owner) {
                throw new IllegalStateException("The process dies.");
            }

            @Override
            public RunRecord claimToWake(RunId runId, long epoch, long length, String owner, Instant notBefore) {
                throw new IllegalStateException("The process dies.");
            }
        };
        AgentRuntime dead = runtime(dying, Wakeups.off(), asking(approval.path().toString()));
        assertThatThrownBy(() -> dead.approve(approval, ANN)).isNotNull();
        if (store instanceof JdbcStore) {
            dead.close();
        }
    }

    private static void awaitEnd(AgentRuntime runtime, RunId runId) {
        Waiting.until(
                "run " + runId + " has ended",
                () -> runtime.store().find(runId).orElseThrow().status() == RunStatus.COMPLETED);
    }

    private Agent asking(String id) {
        Script script = Scripts.on(id, Turn.calls("delete", Map.of()), Turn.says("Done"));
        return agent(id, script).tools(delete()).build();
    }

    /** An agent that finishes some runs that others have started. */
    private Agent finishing(int runs) {
        Script script = Scripts.on("lead").says("Done");
        for (int i = 1; i < runs; i++) {
            script = script.then().says("Done");
        }
        return agent("lead", script).tools(delete()).build();
    }

    private static AgentBuilder agent(String id, Script script) {
        return Agent.builder(id).description(id).instructions("Go.").model(script.modelFor(id));
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups, Agent agent) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .anyoneMayApprove()
                .agents(agent)
                .build();
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups, TimeSource time, Agent agent) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .timeSource(time)
                .anyoneMayApprove()
                .agents(agent)
                .build();
    }

    private Tool delete() {
        return Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> Steps.noted(effects, "deleted", "deleted"))
                .build();
    }

    private Tool work() {
        return Tool.builder("work", "Works.")
                .input(None.class)
                .handler((in, context) -> {
                    working.countDown();
                    Waiting.on(mayEnd);
                    return "worked";
                })
                .build();
    }
}
