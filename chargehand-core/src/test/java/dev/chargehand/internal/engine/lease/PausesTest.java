package dev.chargehand.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.SystemTimeSource;
import org.junit.jupiter.api.Test;

class PausesTest {

    private final Cancellation runtime = new Cancellation();

    @Test
    void aPauseOfAClosedRuntimeIsOverAtOnce() {
        SystemTimeSource time = new SystemTimeSource();
        runtime.release();
        time.close();
        assertThatCode(() -> new Pauses(time, runtime).await()).doesNotThrowAnyException();
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
