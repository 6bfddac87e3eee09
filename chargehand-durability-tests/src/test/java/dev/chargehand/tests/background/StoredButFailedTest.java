package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write that is stored and fails nevertheless, as one to a file of SQLite whose folder is moved away for a moment: a run that belongs to
 * this process then, and that it does not execute, is released.
 */
@Timeout(120)
class StoredButFailedTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"TIMEOUT", "UNUSABLE"})
    void aClaim(StoreException.Kind kind) {
        try (TestRuntime test = TaskFixture.runtime(new FailingOnce(store(), false, kind), TaskFixture.script())
                .build()) {
            assertThat(test.agent("boss")
                            .generateUntilIdle(
                                    "Research bees",
                                    TaskFixture.onThread()
                                            .andThen(o -> o.timeLimit(TimeLimit.QUIET, Duration.ofSeconds(20))))
                            .text())
                    .isEqualTo("Seen: [Found bees]");
        }
    }

    @Test
    void aStart() {
        Store failing = new FailingOnce(store(), true, StoreException.Kind.UNUSABLE);
        try (TestRuntime test =
                TaskFixture.runtime(failing, TaskFixture.script()).build()) {
            assertThatThrownBy(() -> test.agent("boss").generate("Hello", TaskFixture.onThread()))
                    .hasMessageContaining("stored but failed");

            Store store = test.runtime().store();
            TaskFixture.until("it is released", () -> store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING)).stream()
                    .anyMatch(run -> run.owner().isEmpty()));
        }
    }

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("failed.db"));
    }

    private static final class FailingOnce extends ForwardingStore {
        private final AtomicBoolean failsStart;
        private final AtomicBoolean failsClaim;
        private final StoreException.Kind kind;

        private FailingOnce(Store store, boolean start, StoreException.Kind kind) {
            super(store);
            this.failsStart = new AtomicBoolean(start);
            this.failsClaim = new AtomicBoolean(!start);
            this.kind = kind;
        }

        @Override
        public Appended append(List<Append> appends) {
            Appended stored = super.append(appends);
            fail(failsStart);
            return stored;
        }

        @Override
        public RunRecord claimToWake(
                RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
            RunRecord claimed = super.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore);
            fail(failsClaim);
            return claimed;
        }

        private void fail(AtomicBoolean once) {
            if (once.getAndSet(false)) {
                throw new StoreException(kind, "This is stored but failed.", null);
            }
        }
    }
}
