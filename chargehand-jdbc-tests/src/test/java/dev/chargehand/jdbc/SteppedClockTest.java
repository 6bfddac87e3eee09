package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the machine is set while owners are alive. */
class SteppedClockTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final AtomicReference<Instant> wall = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final AtomicLong seconds = new AtomicLong();
    private final LeaseClock leases =
            new LeaseClock(wall::get, () -> Duration.ofSeconds(seconds.get()).toNanos());

    @TempDir
    Path folder;

    @Test
    void aStepForwardEndsNoLease() {
        InstantSource clock = wall::get;
        Path file = folder.resolve("runs.db");
        try (JdbcStore one = JdbcStore.sqlite(file, SqliteOptions.DEFAULT, clock);
                JdbcStore other = JdbcStore.sqlite(file, SqliteOptions.DEFAULT, clock)) {
            one.heartbeat("one", LEASE);
            other.heartbeat("other", LEASE);
            set(Duration.ofHours(1));

            assertThat(other.isAlive("one")).isTrue();
            other.heartbeat("other", LEASE);
            assertThat(other.isAlive("one")).as("nor is it forgotten").isTrue();
            one.heartbeat("one", LEASE);
            assertThat(other.isAlive("one")).isTrue();
            one.heartbeat("one", Duration.ZERO);
            assertThat(other.isAlive("one")).as("it says so itself").isFalse();
        }
    }

    @Test
    void aStepCountsWhenEveryLivingOwnerHadTheTimeToRenewItsLease() {
        Instant before = leases.now();
        set(Duration.ofHours(1));
        assertThat(leases.now()).isEqualTo(before);
        passes(29);
        assertThat(leases.now()).isEqualTo(before.plusSeconds(29));
        passes(1);
        assertThat(leases.now()).isEqualTo(before.plusSeconds(3630));
    }

    @Test
    void timeThatPassesIsNoStepHoweverLongNobodyLooks() {
        Instant before = leases.now();
        passes(100_000);
        assertThat(leases.now()).isEqualTo(before.plusSeconds(100_000));
    }

    @Test
    void stepsForwardAndBackAreTakenTogether() {
        Instant before = leases.now();
        set(Duration.ofHours(1));
        assertThat(leases.now()).isEqualTo(before);
        set(Duration.ofHours(-1));
        assertThat(leases.now()).isEqualTo(before);
    }

    private void set(Duration by) {
        wall.updateAndGet(now -> now.plus(by));
    }

    private void passes(long more) {
        seconds.addAndGet(more);
        set(Duration.ofSeconds(more));
    }
}
