package dev.chargehand.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PausesTest {

    private final Cancellation runtime = new Cancellation();
    private final List<Duration> alarms = new ArrayList<>();

    @Test
    void aPauseOfAClosedRuntimeIsOverAtOnce() {
        SystemTimeSource time = new SystemTimeSource();
        runtime.release();
        time.close();
        assertThatCode(() -> new Pauses(time, runtime).await()).doesNotThrowAnyException();
    }

    /** The test would never end otherwise. */
    @Test
    void aClockThatStandsStillDoesNotStopTheLooks() throws InterruptedException {
        TimeSource standing = new TimeSource() {
            @Override
            public Instant now() {
                return Instant.EPOCH;
            }

            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public Alarm schedule(Duration delay, Runnable task) {
                alarms.add(delay);
                return () -> alarms.remove(delay);
            }
        };
        Pauses pauses = new Pauses(standing, runtime);

        pauses.await();

        assertThat(alarms).isEmpty();
    }

    @Test
    void alarmsThatEndBeforeTheRuntimeAreAnError() {
        SystemTimeSource time = new SystemTimeSource();
        time.close();
        assertThatThrownBy(() -> new Pauses(time, runtime).await())
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("The runtime is closed and calls nothing any more; build another one.");
    }
}
