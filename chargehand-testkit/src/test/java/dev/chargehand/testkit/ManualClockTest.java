package dev.chargehand.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ManualClockTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final List<String> rung = new ArrayList<>();

    @Test
    void timeStandsStillUntilItIsTurned() {
        var before = clock.now();
        assertThat(clock.now()).isEqualTo(before);
        clock.advance(SECOND);
        assertThat(clock.now()).isEqualTo(before.plus(SECOND));
        assertThat(clock.nanoTime()).isEqualTo(SECOND.toNanos());
    }

    @Test
    void dueAlarmsRingInOrderEachAtItsOwnTime() {
        clock.schedule(SECOND.multipliedBy(2), () -> rung.add("late at " + clock.nanoTime()));
        clock.schedule(SECOND, () -> rung.add("early at " + clock.nanoTime()));
        clock.schedule(SECOND, () -> rung.add("early too"));
        clock.schedule(SECOND.multipliedBy(9), () -> rung.add("not yet"));
        clock.advance(SECOND.multipliedBy(3));
        assertThat(rung).containsExactly("early at 1000000000", "early too", "late at 2000000000");
        assertThat(clock.pending()).containsExactly(SECOND.multipliedBy(6));
    }

    @Test
    void anAlarmThatAnAlarmSetsRingsInTheSameTurnIfItIsDue() {
        clock.schedule(SECOND, () -> clock.schedule(SECOND, () -> rung.add("again")));
        clock.advance(SECOND.multipliedBy(2));
        assertThat(rung).containsExactly("again");
    }

    @Test
    void aCancelledAlarmDoesNotRing() {
        clock.schedule(SECOND, () -> rung.add("no")).cancel();
        clock.advance(SECOND);
        assertThat(rung).isEmpty();
    }

    @Test
    void anAlarmCanBeAwaited() throws InterruptedException {
        Thread other = Thread.ofVirtual().start(() -> clock.schedule(SECOND, () -> rung.add("rang")));
        clock.awaitAlarm(SECOND);
        clock.advance(SECOND);
        assertThat(rung).containsExactly("rang");
        other.join();
    }

    @Test
    void anAlarmWithoutADelayRingsAtOnceOnAnotherThread() throws InterruptedException {
        CountDownLatch rang = new CountDownLatch(1);
        clock.schedule(Duration.ZERO, rang::countDown);
        rang.await();
        assertThat(clock.pending()).isEmpty();
    }
}
