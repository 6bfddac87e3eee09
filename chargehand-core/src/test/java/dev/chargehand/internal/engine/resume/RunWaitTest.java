package dev.chargehand.internal.engine.resume;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunReleasedException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.run.RunId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunWaitTest {

    private final Cancellation runtime = new Cancellation();
    private final SystemTimeSource time = new SystemTimeSource();
    private final RunWait wait = new RunWait(new RunId("run_1"), time, runtime);

    @AfterEach
    void close() {
        time.close();
    }

    private static StoreException failure() {
        return new StoreException(StoreException.Kind.UNUSABLE, "The store is closed.", null);
    }

    @Test
    void aStoreThatIsClosedWithItsRuntimeReleasesTheCaller() {
        assertThatThrownBy(() -> wait.whileOpen(() -> {
                    runtime.release();
                    throw failure();
                }))
                .isInstanceOf(RunReleasedException.class);
    }

    @Test
    void anotherFailureOfTheStoreIsTheCallers() {
        assertThatThrownBy(() -> wait.whileOpen(() -> {
                    throw failure();
                }))
                .isInstanceOf(StoreException.class);
    }
}
