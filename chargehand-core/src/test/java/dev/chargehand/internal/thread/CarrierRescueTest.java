package dev.chargehand.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All carriers are held by virtual threads that compute, so that a probe does not run. */
@Timeout(60)
class CarrierRescueTest {

    /** More than the patience with carriers on which nothing moves, and less than the one with much work. */
    private static final long PATIENT_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** After so long a carrier is added although something moves: this thread was stopped meanwhile. */
    private static final long TOO_LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    private final CarrierScheduler carriers = CarrierScheduler.open();
    private final int before = carriers.parallelism();
    private volatile boolean free;

    @BeforeEach
    void occupyCarriers() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(before);
        for (int i = 0; i < before; i++) {
            Thread ignored = Thread.ofVirtual().start(() -> {
                running.countDown();
                while (!free) {
                    Thread.onSpinWait();
                }
            });
        }
        running.await();
    }

    @AfterEach
    void freeCarriers() {
        free = true;
        carriers.parallelism(before);
    }

    @Test
    void carriersAreAddedIfNothingMoves() {
        CarrierRescue rescue = new CarrierRescue();
        while (carriers.parallelism() == before) {
            look(rescue, false);
        }
        assertThat(carriers.parallelism()).isEqualTo(2 * before); // as many as are held
        free = true;
        while (carriers.parallelism() > before) { // the probe runs, and then no carrier is held
            look(rescue, false);
        }
    }

    @Test
    void muchWorkIsNoReasonToAddCarriers() {
        while (!isLookedAtInTime(new CarrierRescue())) {
            Thread.onSpinWait();
        }
        assertThat(carriers.parallelism()).isEqualTo(before);
    }

    /** Looks while something moves; returns whether this thread was not stopped meanwhile. */
    private boolean isLookedAtInTime(CarrierRescue rescue) {
        long startedAt = System.nanoTime();
        while (System.nanoTime() - startedAt < PATIENT_NANOS) {
            look(rescue, true);
        }
        if (System.nanoTime() - startedAt < TOO_LATE_NANOS) {
            return true;
        }
        carriers.parallelism(before);
        return false;
    }

    private static void look(CarrierRescue rescue, boolean hasMoved) {
        rescue.look(hasMoved);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
}
