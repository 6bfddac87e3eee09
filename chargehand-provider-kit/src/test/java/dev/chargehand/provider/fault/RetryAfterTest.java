package dev.chargehand.provider.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.message.HeaderGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-03-01T12:00:00Z"));

    @ParameterizedTest
    @CsvSource({"2, PT2S", "0, PT0S", "3600, PT1H", "0.5, PT0.5S", "99999999999999999999999, P365D"})
    void secondsAreRead(String value, Duration wait) {
        assertThat(of("Retry-After", value)).isEqualTo(wait);
    }

    @Test
    void millisecondsGoBeforeSeconds() {
        assertThat(of("Retry-After", "7", "retry-after-ms", "1500")).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void aDateCountsFromOurClock() {
        assertThat(of("Retry-After", "Sun, 1 Mar 2026 12:00:30 GMT")).isEqualTo(Duration.ofSeconds(30));
        assertThat(of("Retry-After", "Sun, 1 Mar 2026 11:00:00 GMT")).isEqualTo(Duration.ZERO);
    }

    @Test
    void aDateCountsFromTheProvidersClockWhereItTellsItsTime() {
        assertThat(of("Retry-After", "Sun, 01 Mar 2026 13:00:30 GMT", "Date", "Sun, 01 Mar 2026 13:00:00 GMT"))
                .isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1e9", "12:00", "Sun, 99 Mar 2026 12:00:30 GMT"})
    void whatCannotBeReadIsNoWait(String value) {
        assertThat(of("Retry-After", value)).isNull();
    }

    @Test
    void noHeaderIsNoWait() {
        assertThat(of()).isNull();
    }

    private static Duration of(String... namesAndValues) {
        HeaderGroup headers = new HeaderGroup();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.addHeader(new BasicHeader(namesAndValues[i], namesAndValues[i + 1]));
        }
        return RetryAfter.of(headers, CLOCK);
    }
}
