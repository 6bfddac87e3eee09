package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs are woken, each once, whatever happens to the file and the clock in the moment in which they are. */
@Timeout(120)
class WakeupFaultsTest {

    record None() {}

    private static final Approver ANN = Approver.of("ann");

    private final Queue<String> effects = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    @Test
    void anExpiryThatALockedFileDoesNotTakeIsStoredWhenTheFileIsFree() throws Exception {
        ManualClock clock = new ManualClock();
        CountDownLatch refused = new CountDownLatch(2);
        Store store = new ForwardingStore(sqlite()) {
            @Override
            public Delivered deliver(Delivery delivery) {
                return counted(refused, () -> super.deliver(delivery));
            }
        };
        try (AgentRuntime runtime = runtime(store, Wakeups.own(), clock)) {
            RunResult waiting = runtime.agent("lead").generate("Go");
            whileLocked(() -> {
                clock.advance(Duration.ofHours(25));
                Waiting.on(refused);
            });

            awaitEnd(runtime, waiting.runId());
            assertThat(runtime.handle(waiting.runId()).result().text()).isEqualTo("Done");
            assertThat(effects).isEmpty();
        }
    }

    @Test
    void aRunThatALockedFileKeepsFromBeingTakenIsTakenWhenTheFileIsFree() throws Exception {
        RunId runId = decided();
        CountDownLatch refused = new CountDownLatch(2);
        AtomicBoolean mayTake = new AtomicBoolean();
        Store store = new ForwardingStore(sqlite()) {
            @Override
            public void heartbeat(String owner, Duration timeToLive) { // before the first run is taken
                if (!mayTake.get()) {
                    throw new StoreException(StoreException.Kind.FAILED, "The file is not locked yet.", null);
                }
                counted(refused, () -> {
                    super.heartbeat(owner, timeToLive);
                    return owner;
                });
            }
        };
        try (AgentRuntime runtime = runtime(store, Wakeups.all(), null)) {
            whileLocked(() -> {
                mayTake.set(true);
                Waiting.on(refused);
            });

            awaitEnd(runtime, runId);
            assertThat(effects).containsExactly("deleted");
        }
    }

    @Test
    void aRunWhoseFirstFactsALockedFileDoesNotTakeIsGivenUpAndTakenAgain() throws Exception {
        RunId runId = decided();
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        Store store = new ForwardingStore(sqlite()) {
            @Override
            public Appended append(List<Append> appends) {
                taken.countDown();
                Waiting.on(locked);
                return counted(refused, () -> super.append(appends));
            }
        };
        try (AgentRuntime runtime = runtime(store, Wakeups.all(), null)) {
            Waiting.on(taken);
            whileLocked(() -> {
                locked.countDown();
                Waiting.on(refused);
            });

            awaitEnd(runtime, runId);
            assertThat(effects).containsExactly("deleted");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-24, 1})
    void aRunIsWokenOnceAfterTheClockWasSet(long hours) {
        SteppedTime time = new SteppedTime();
        try (AgentRuntime waits = runtime(sqlite(), Wakeups.own(), time)) {
            RunResult waiting = waits.agent("lead").generate("Go", o -> o.approvalExpiry(Duration.ofDays(2)));
            time.step = Duration.ofHours(hours);

            decideAndDie(waiting.runId());

            awaitEnd(waits, waiting.runId());
            assertThat(effects).containsExactly("deleted");
        }
    }

    private RunId decided() {
        RunId runId;
        try (AgentRuntime asks = runtime(sqlite(), Wakeups.off(), null)) {
            runId = asks.agent("lead").generate("Go").runId();
        }
        decideAndDie(runId);
        return runId;
    }

    /** Stores a decision as a process does that dies before it carries it out. */
    private void decideAndDie(RunId runId) {
        Store dying = new ForwardingStore(sqlite()) {
            @Override
            public RunRecord claim(RunId run, long epoch, long length, String owner) {
                throw new StoreException(StoreException.Kind.FAILED, "The process dies.", null);
            }

            @Override
            public RunRecord claimToWake(RunId run, long epoch, long length, String owner, Instant notBefore) {
                throw new StoreException(StoreException.Kind.FAILED, "The process dies.", null);
            }
        };
        try (AgentRuntime dead = runtime(dying, Wakeups.off(), null)) {
            PendingApproval approval = dead.handle(runId).pendingApprovals().getFirst();
            assertThatThrownBy(() -> dead.approve(approval, ANN)).hasMessageContaining("dies");
        }
    }

    private void whileLocked(Runnable action) throws SQLException {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"));
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 30000");
            statement.execute("BEGIN IMMEDIATE");
            action.run();
            statement.execute("ROLLBACK");
        }
    }

    private static <T> T counted(CountDownLatch refused, Supplier<T> call) {
        try {
            return call.get();
        } catch (StoreException e) {
            refused.countDown();
            throw e;
        }
    }

    private static void awaitEnd(AgentRuntime runtime, RunId runId) {
        Waiting.until(
                "run " + runId + " has ended",
                () -> runtime.store().find(runId).orElseThrow().status() == RunStatus.COMPLETED);
    }

    /** Calls the tool, and says that it is done when it has the result; in any process. */
    private record Lead() implements Model {

        @Override
        public String name() {
            return "test/lead";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            return request.messages().getLast().role() == Role.TOOL
                    ? ModelResponse.text("Done", Usage.NONE)
                    : new ModelResponse(
                            "",
                            "",
                            List.of(new RequestedCall("c", "delete", "{}")),
                            FinishReason.TOOL_CALLS,
                            Usage.NONE);
        }
    }

    /** The clock of a machine that is set. */
    private static final class SteppedTime implements TimeSource {

        private volatile Duration step = Duration.ZERO;

        @Override
        public Instant now() {
            return Instant.now().plus(step);
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            CompletableFuture<Void> alarm = CompletableFuture.runAsync(
                    task, CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS));
            return () -> alarm.cancel(false);
        }
    }

    private JdbcStore sqlite() {
        return JdbcStore.sqlite(folder.resolve("store.db"), SqliteOptions.DEFAULT.callLimit(Duration.ofSeconds(3)));
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups, @Nullable TimeSource time) {
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> Steps.noted(effects, "deleted", "deleted"))
                .build();
        Agent lead = Agent.builder("lead")
                .instructions("Go.")
                .model(new Lead())
                .tools(delete)
                .build();
        var builder = AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .anyoneMayApprove()
                .agents(lead);
        return (time == null ? builder : builder.timeSource(time)).build();
    }
}
