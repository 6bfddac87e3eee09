package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.Wakeups;
import dev.chargehand.error.HookException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.Lease;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who owns a run, and who may take it, is decided by the lease of a runtime. */
@Timeout(120)
class LeaseTest {

    record None() {}

    private final Queue<String> effects = new ConcurrentLinkedQueue<>();
    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @TempDir
    Path folder;

    /** Each runtime is an attempt, and a later one has been told that the earlier is over. */
    private static final class Attempt implements Lease {

        private final String name;
        private final boolean mayTake;
        private final Queue<String> kept = new ConcurrentLinkedQueue<>();
        private final Queue<String> ended = new ConcurrentLinkedQueue<>();

        private Attempt(String name, boolean mayTake) {
            this.name = name;
            this.mayTake = mayTake;
        }

        @Override
        public String owner(RunId run) {
            return name + ":" + run;
        }

        @Override
        public boolean mayTake(RunRecord run) {
            return mayTake;
        }

        @Override
        public void keep(String owner) {
            kept.add(owner);
        }

        @Override
        public void end(String owner) {
            ended.add(owner);
        }
    }

    @Test
    void aRunIsOwnedUnderTheNameOfItsLease() {
        Attempt first = new Attempt("first", false);
        try (AgentRuntime runtime = runtime(first, Turn.calls("work", Map.of()), Turn.says("Done"))) {
            RunHandle run = runtime.agent("lead").start("Go", o -> o.thread("t"));
            Waiting.on(working);
            String owner = "first:" + run.runId();

            assertThat(runtime.store().find(run.runId()).orElseThrow().owner()).isEqualTo(owner);
            assertThat(first.kept).containsOnly(owner);
            assertThat(first.ended).isEmpty();
            assertThat(runtime.store().isAlive(owner)).isTrue();
            assertThatThrownBy(() ->
                            runtime.agent("lead").start("Go", o -> o.thread("t").busyThread(BusyThreadPolicy.REJECT)))
                    .isInstanceOf(ThreadBusyException.class);
            mayEnd.countDown();

            assertThat(run.result().text()).isEqualTo("Done");
            Waiting.until("the name is given up", () -> first.ended.contains(owner));
            assertThat(runtime.store().isAlive(owner)).isFalse();
        }
    }

    @Test
    void aLeaseThatAllowsItTakesTheRunOfALivingOwner() {
        Attempt second = new Attempt("second", true);
        try (AgentRuntime process = runtime(null, Turn.calls("work", Map.of()), Turn.says("Stale"));
                AgentRuntime careful = runtime(new Attempt("careful", false), Turn.says("Never"));
                AgentRuntime attempt = runtime(second, Turn.says("By the second attempt"))) {
            RunHandle run = process.agent("lead").start("Go");
            Waiting.on(working);

            assertThatThrownBy(() -> careful.advance(run.runId(), Until.never()))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FENCED));
            assertThat(attempt.advance(run.runId(), Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            mayEnd.countDown();

            RunResult result = run.result();
            assertThat(result.text()).isEqualTo("By the second attempt");
            assertThat(second.kept).containsOnly("second:" + run.runId());
            assertThat(second.ended).containsExactly("second:" + run.runId());
        }
    }

    @Test
    void aCancelReachesARunThatIsOwnedUnderAnotherName() {
        try (AgentRuntime runtime = runtime(new Attempt("first", false), Turn.calls("work", Map.of()));
                AgentRuntime other = runtime(null)) {
            RunId runId = runtime.submit(runtime.agent("lead"), List.of(Message.user("Go")), o -> {});
            RunHandle run = runtime.resume(runId, o -> {});
            Waiting.on(working);

            assertThat(other.cancel(runId)).isTrue();

            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
            RunRecord record = other.store().find(runId).orElseThrow();
            assertThat(record.owner()).isEqualTo("first:" + runId);
            assertThat(record.epoch()).isEqualTo(2); // no other process had to claim it
        }
    }

    /** A lease of which a call hangs, or all fail. */
    private record Bad(boolean hangs, CountDownLatch asked, CountDownLatch over) implements Lease {

        private static Bad failing() {
            return new Bad(false, new CountDownLatch(1), new CountDownLatch(1));
        }

        @Override
        public String owner(RunId run) {
            if (!hangs) {
                throw new IllegalStateException("planned");
            }
            return "bad:" + run;
        }

        @Override
        public boolean mayTake(RunRecord run) {
            asked.countDown();
            Waiting.on(over);
            return true;
        }
    }

    @Test
    void aLeaseThatNamesNoOwnerFailsTheCallThatStartsARun() {
        try (AgentRuntime runtime = runtime(Bad.failing(), Turn.says("Never"))) {
            assertThatThrownBy(() -> runtime.agent("lead").start("Go"))
                    .isInstanceOf(HookException.class)
                    .hasMessageContaining("lease")
                    .hasMessageContaining("IllegalStateException");
            assertThat(runtime.runs(RunFilter.ROOTS)).isEmpty();
        }
    }

    @Test
    void aLeaseThatDoesNotAnswerLetsNoRunBeTaken() {
        ManualClock clock = new ManualClock();
        Bad bad = new Bad(true, new CountDownLatch(1), new CountDownLatch(1));
        try (AgentRuntime process = runtime(null, Turn.calls("work", Map.of()), Turn.says("Done"));
                AgentRuntime other =
                        builder(bad, Turn.says("Never")).timeSource(clock).build()) {
            RunHandle run = process.agent("lead").start("Go");
            Waiting.on(working);
            CompletableFuture<Advanced> advanced =
                    CompletableFuture.supplyAsync(() -> other.advance(run.runId(), Until.never()));
            Waiting.on(bad.asked());

            clock.advance(Duration.ofSeconds(11));

            assertThatThrownBy(advanced::join).hasCauseInstanceOf(StoreException.class);
            bad.over().countDown();
            mayEnd.countDown();
            assertThat(run.result().text()).isEqualTo("Done");
        }
    }

    private AgentRuntime runtime(@Nullable Lease lease, Turn... turns) {
        return builder(lease, turns).build();
    }

    private AgentRuntimeBuilder builder(@Nullable Lease lease, Turn... turns) {
        Script script = Scripts.on("lead", turns);
        Tool work = Tool.builder("work", "Works.")
                .input(None.class)
                .handler((in, context) -> {
                    working.countDown();
                    Waiting.on(mayEnd);
                    return Steps.noted(effects, "worked", "worked");
                })
                .build();
        Agent agent = Agent.builder("lead")
                .instructions("Go.")
                .model(script.modelFor("lead"))
                .tools(work)
                .build();
        var builder = AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .providers()
                .wakeups(Wakeups.off())
                .agents(agent);
        return lease == null ? builder : builder.lease(lease);
    }
}
