package dev.chargehand.internal.engine.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailedLooksTest {

    private static final Duration LONG = Duration.ofSeconds(10);

    private long now = 5;

    private final FailedLooks looks = new FailedLooks(new TimeSource() {
        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(now);
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    });

    @Test
    void aLookThatFailsMayBeRepeatedForTenSeconds() {
        StoreException failure = new StoreException(StoreException.Kind.FAILED, "Planned.", null);
        assertThat(looks.look(() -> fail(failure))).isFalse();
        now += LONG.toNanos() - 1;
        assertThat(looks.look(() -> fail(failure))).isFalse();
        now++;
        assertThatThrownBy(() -> looks.look(() -> fail(failure))).isSameAs(failure);
        assertThat(looks.look(() -> fail(failure))).as("it counts anew").isFalse();
    }

    @Test
    void aLookThatSucceedsEndsTheFailures() {
        StoreException failure = new StoreException(StoreException.Kind.TIMEOUT, "Planned.", null);
        assertThat(looks.look(() -> fail(failure))).isFalse();
        assertThat(looks.look(() -> {})).isTrue();
        now += LONG.toNanos();
        assertThat(looks.look(() -> fail(failure))).isFalse();
    }

    @Test
    void aFailureThatDoesNotPassIsThrownAtOnce() {
        StoreException failure = new StoreException(StoreException.Kind.UNREADABLE, "Planned.", null);
        assertThatThrownBy(() -> looks.look(() -> fail(failure))).isSameAs(failure);
    }

    private static void fail(StoreException failure) {
        throw failure;
    }
}
