package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller executes a stored run up to a safe point. */
@Timeout(120)
class AdvanceTest {

    record None() {}

    private final Queue<String> effects = new ConcurrentLinkedQueue<>();
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final ManualClock clock = new ManualClock();

    @TempDir
    Path folder;

    @Test
    void aRunIsExecutedToItsEnd() {
        mayEnd.countDown();
        try (AgentRuntime runtime = runtime(Turn.calls("work", Map.of()), Turn.says("Done"))) {
            RunId runId = submit(runtime, null);

            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(runtime.handle(runId).result().text()).isEqualTo("Done");
        }
    }

    @Test
    void aRunIsReleasedAtTheSafePointAfterACondition() {
        mayEnd.countDown();
        try (AgentRuntime runtime = runtime(
                        Turn.calls("work", Map.of()), Turn.calls("work", Map.of("again", 1)), Turn.says("Done"));
                AgentRuntime other = runtime(Turn.calls("work", Map.of()), Turn.says("Done by the other"))) {
            RunId runId = submit(runtime, "t");

            assertThat(runtime.advance(runId, Until.when(() -> !effects.isEmpty())))
                    .isEqualTo(new Advanced.Released());

            assertThat(effects).containsExactly("worked");
            RunRecord released = runtime.store().find(runId).orElseThrow();
            assertThat(released.status()).isEqualTo(RunStatus.RUNNING);
            assertThat(released.owner()).isEmpty();
            assertThat(other.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(effects).containsExactly("worked", "worked");
            assertThat(runtime.handle(runId).result().text()).isEqualTo("Done by the other");
        }
    }

    @Test
    void aRunIsReleasedAtTheSafePointAfterAMoment() {
        mayEnd.countDown();
        Instant end = clock.now().plus(Duration.ofMinutes(1));
        try (AgentRuntime runtime = runtime(
                Turn.does(() -> clock.advance(Duration.ofMinutes(1))).and(Turn.calls("work", Map.of())),
                Turn.says("Done"))) {
            RunId runId = submit(runtime, null);

            assertThat(runtime.advance(runId, Until.at(end))).isEqualTo(new Advanced.Released());
            assertThat(runtime.advance(runId, Until.at(end.plusSeconds(1))))
                    .isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(effects).containsExactly("worked");
        }
    }

    /** A nested run that a sibling's bail can cancel has a cancellation of its own. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNestedRunIsReleasedWithItsRoot(boolean cancelSiblings) {
        mayEnd.countDown();
        Script script = Scripts.of(
                Turns.of("lead", Turn.delegates("helper", "Help"), Turn.says("Done")),
                Turns.of(
                        "helper",
                        Turn.calls("work", Map.of()),
                        Turn.does(() -> effects.add("asked")).and(Turn.says("Helped"))));
        Agent helper = Agent.builder("helper")
                .description("Helps.")
                .model(script.modelFor("helper"))
                .tools(tool("work").build())
                .build();
        Agent lead = Agent.builder("lead")
                .model(script.modelFor("lead"))
                .agents(helper)
                .defaultOptions(o -> o.cancelSiblings(cancelSiblings))
                .build();
        try (AgentRuntime runtime = builder(lead).build()) {
            RunId runId = submit(runtime, null);

            assertThat(runtime.advance(runId, Until.when(() -> !effects.isEmpty())))
                    .isEqualTo(new Advanced.Released());
            assertThat(effects).containsExactly("worked");
            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(effects).containsExactly("worked", "asked");
            assertThat(runtime.handle(runId).result().text()).isEqualTo("Done");
        }
    }

    @Test
    void aConditionThatFailsReleasesTheRun() {
        mayEnd.countDown();
        try (AgentRuntime runtime = runtime(Turn.says("Done"))) {
            RunId runId = submit(runtime, null);

            assertThat(runtime.advance(runId, now -> {
                        throw new IllegalStateException("broken");
                    }))
                    .isEqualTo(new Advanced.Released());
            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
        }
    }

    @Test
    void anInterruptReleasesTheRunWhenTheCallInFlightHasEnded() throws Exception {
        try (AgentRuntime runtime = runtime(Turn.calls("work", Map.of()), Turn.says("Done"))) {
            RunId runId = submit(runtime, null);
            CompletableFuture<Advanced> advanced = new CompletableFuture<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                Advanced how = runtime.advance(runId, Until.never());
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                advanced.complete(how);
            });
            Waiting.until("the tool works", () -> !effects.isEmpty());
            caller.interrupt();
            mayEnd.countDown();

            assertThat(advanced.get()).isEqualTo(new Advanced.Released());
            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(effects).containsExactly("worked");
        }
    }

    @Test
    void aRunWhoseThreadIsBusyIsQueued() {
        try (AgentRuntime runtime = runtime(Turn.calls("work", Map.of()), Turn.says("Done"));
                AgentRuntime other = runtime(Turn.says("Later"))) {
            RunHandle holder = runtime.agent("lead").start("Go", o -> o.thread("t"));
            Waiting.until("the tool works", () -> !effects.isEmpty());
            RunId second = submit(other, "t");
            RunId third = submit(other, "t");

            assertThat(other.advance(second, Until.never())).isEqualTo(new Advanced.Queued());
            assertThatThrownBy(() -> other.advance(holder.runId(), Until.never()))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FENCED));
            mayEnd.countDown();
            holder.result();

            assertThat(other.advance(third, Until.never())).isEqualTo(new Advanced.Queued());
            assertThat(other.advance(second, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
        }
    }

    @Test
    void aRunThatWaitsIsSuspendedUntilItsAnswerOrExpiry() {
        mayEnd.countDown();
        try (AgentRuntime runtime = runtime(Turn.calls("ask", Map.of()), Turn.says("Done"))) {
            RunId runId = submit(runtime, null);
            Advanced suspended = new Advanced.Suspended(clock.now().plus(Duration.ofHours(24)));

            assertThat(runtime.advance(runId, Until.never())).isEqualTo(suspended);
            assertThat(runtime.advance(runId, Until.never())).isEqualTo(suspended);
            clock.advance(Duration.ofHours(25));
            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(effects).isEmpty();
        }
    }

    @Test
    void anAnsweredRunIsAdvanced() {
        mayEnd.countDown();
        try (AgentRuntime runtime = runtime(Turn.calls("ask", Map.of()), Turn.says("Done"))) {
            RunId runId = submit(runtime, null);
            runtime.advance(runId, Until.never());

            runtime.approve(runtime.handle(runId).pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();

            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(effects).containsExactly("worked");
        }
    }

    @Test
    void aPlacementReceivesTheStoredRunAndMayFail() {
        Queue<RunRecord> placed = new ConcurrentLinkedQueue<>();
        AgentRuntime[] runtimes = new AgentRuntime[1];
        try (AgentRuntime runtime = builder(Turn.says("Done"))
                .placement(run -> {
                    placed.add(runtimes[0].store().find(run.runId()).orElseThrow());
                    throw new IllegalStateException("The queue is down.");
                })
                .build()) {
            runtimes[0] = runtime;

            RunId runId = submit(runtime, null);

            assertThat(placed).extracting(RunRecord::runId).containsExactly(runId);
            assertThat(placed).extracting(RunRecord::status).containsExactly(RunStatus.PENDING);
            assertThat(runtime.advance(runId, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(placed).hasSize(1);
        }
    }

    private static RunId submit(AgentRuntime runtime, @Nullable String thread) {
        return runtime.submit(runtime.agent("lead"), List.of(Message.user("Go")), o -> {
            if (thread != null) {
                o.thread(thread);
            }
        });
    }

    private AgentRuntime runtime(Turn... turns) {
        return builder(turns).build();
    }

    private AgentRuntimeBuilder builder(Turn... turns) {
        Script script = Scripts.on("lead", turns);
        Agent agent = Agent.builder("lead")
                .instructions("Go.")
                .model(script.modelFor("lead"))
                .tools(tool("work").build(), tool("ask").requiresApproval().build())
                .build();
        return builder(agent);
    }

    private AgentRuntimeBuilder builder(Agent agent) {
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .providers()
                .timeSource(clock)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .agents(agent);
    }

    private Tool.Builder<None> tool(String name) {
        return Tool.builder(name, "Works.").input(None.class).handler((in, context) -> {
            effects.add("worked");
            Waiting.on(mayEnd);
            return "worked";
        });
    }
}
