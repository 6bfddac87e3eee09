package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunResult;
import dev.chargehand.background.IdleReason;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A conversation with background tasks whose store fails for a moment ends as it would without that, with the wake-ups of its own process. */
@Timeout(120)
class UntilIdleOutageTest {

    @TempDir
    Path folder;

    /** The task is claimed first, and then the turn that reads its result. */
    @ParameterizedTest
    @CsvSource({
        "1, no claim",
        "1, claim",
        "1, read",
        "1, append",
        "2, no claim",
        "2, claim",
        "2, read",
        "1, busy",
        "2, busy",
        "1, defect"
    })
    void aRunWhoseStoreFailsWhenItIsClaimedIsWokenAgainByItsProcess(int nth, String failing) {
        FailingAtAClaim store = new FailingAtAClaim(JdbcStore.sqlite(folder.resolve("idle.db")), nth, failing);
        try (TestRuntime test = TaskFixture.runtime(store, TaskFixture.script()).build()) {
            IdleResult result = untilIdle(test, () -> {});

            assertThat(store.failures).hasValue(1);
            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.turns()).extracting(RunResult::text).containsExactly("Seen: []", "Seen: [Found bees]");
            TaskFixture.until("nothing is looked for", () -> !store.looking.isAlive());
        }
    }

    @Test
    void looksThatFailDoNotEndTheCall() {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicBoolean turnIsOver = new AtomicBoolean();
        AtomicInteger failures = new AtomicInteger(3);
        Store store = new ForwardingStore(JdbcStore.sqlite(folder.resolve("idle.db"))) {
            @Override
            public List<RunRecord> list(RunFilter filter) {
                if (turnIsOver.get() && filter.untilIdle().isPresent()) {
                    if (failures.getAndDecrement() > 0) {
                        throw new StoreException(StoreException.Kind.FAILED, "Planned.", null);
                    }
                    gate.countDown();
                }
                return super.list(filter);
            }
        };
        try (TestRuntime test =
                TaskFixture.runtime(store, TaskFixture.script(gate)).build()) {
            IdleResult result = untilIdle(test, () -> turnIsOver.set(true));

            assertThat(failures).hasNegativeValue();
            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.text()).isEqualTo("Seen: [Found bees]");
        }
    }

    /** The limit ends the wait for a run that nothing wakes. */
    private static IdleResult untilIdle(TestRuntime test, Runnable whenATurnIsOver) {
        return test.agent("boss")
                .generateUntilIdle("Research bees", TaskFixture.onThread().andThen(o -> o.timeLimit(
                                TimeLimit.QUIET, Duration.ofSeconds(15))
                        .onFinish(end -> whenATurnIsOver.run())));
    }

    /** Fails once, when a run is claimed for a wake-up, or in what follows that. */
    private static final class FailingAtAClaim extends ForwardingStore {
        private final AtomicInteger claims = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private final AtomicBoolean fails = new AtomicBoolean();
        private final int nth;
        private final String failing;
        private volatile @Nullable RunId claimed;
        private volatile Thread looking = Thread.currentThread();

        private FailingAtAClaim(Store store, int nth, String failing) {
            super(store);
            this.nth = nth;
            this.failing = failing;
        }

        @Override
        public RunRecord claimToWake(
                RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
            if (claims.incrementAndGet() == nth) {
                claimed = runId;
                fails.set(true);
            }
            failIf("no claim");
            RunRecord run = super.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore);
            failIf("claim");
            return run;
        }

        @Override
        public long awaitChange(long seen, Duration longest) {
            if (Thread.currentThread()
                    .getName()
                    .equals("chargehand-inbox")) { // the caller of the test waits for changes too
                looking = Thread.currentThread();
            }
            return super.awaitChange(seen, longest);
        }

        @Override
        public List<FactEntry> read(RunId runId, long from) {
            failIf("read");
            return super.read(runId, from);
        }

        @Override
        public Appended append(List<Append> appends) {
            if (appends.stream().anyMatch(append -> append.runId().equals(claimed))) {
                failIf("append");
                failIf("busy", new ThreadBusyException("t", "another")); // which took it while this process was stopped
                failIf("defect", new IllegalStateException("Planned."));
            }
            return super.append(appends);
        }

        private void failIf(String operation) {
            failIf(operation, new StoreException(StoreException.Kind.FAILED, "Planned.", null));
        }

        private void failIf(String operation, RuntimeException with) {
            if (operation.equals(failing) && fails.compareAndSet(true, false)) {
                failures.incrementAndGet();
                throw with;
            }
        }
    }
}
