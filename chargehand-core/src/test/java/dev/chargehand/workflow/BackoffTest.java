package dev.chargehand.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The waits between attempts. */
class BackoffTest {

    @Test
    void anExponentialWaitDoublesUpToFiveMinutes() {
        Backoff backoff = Backoff.exponential(Duration.ofSeconds(100));

        assertThat(IntStream.rangeClosed(1, 4).mapToObj(backoff::delay))
                .containsExactly(
                        Duration.ofSeconds(100), Duration.ofSeconds(200), Duration.ofMinutes(5), Duration.ofMinutes(5));
    }

    @Test
    void aFixedWaitStaysAsItIs() {
        Backoff backoff = Backoff.fixed(Duration.ofSeconds(7));

        assertThat(backoff.delay(1)).isEqualTo(Duration.ofSeconds(7));
        assertThat(backoff.delay(50)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void noNumberOfAttemptsPassesTheBound() {
        for (Duration first : new Duration[] {Duration.ofNanos(1), Duration.ofMinutes(5)}) {
            Backoff backoff = Backoff.exponential(first);
            assertThat(backoff.delay(101)).isEqualTo(Duration.ofMinutes(5));
            assertThat(backoff.delay(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(5));
        }
    }

    @Test
    void aWaitOutOfBoundsIsRejected() {
        assertThatThrownBy(() -> Backoff.fixed(Duration.ZERO))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("A wait between attempts must be above zero and at most 5 min, but is 0 s.");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(301)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageEndingWith("but is 5 min 1 s.");
    }
}
