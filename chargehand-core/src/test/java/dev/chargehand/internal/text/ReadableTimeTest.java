package dev.chargehand.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableTimeTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.05S, 0.05 s",
        "PT0.000000001S, 0.000000001 s",
        "PT1.5S, 1.5 s",
        "PT10S, 10 s",
        "PT60S, 1 min",
        "PT120S, 2 min",
        "PT90S, 1 min 30 s",
        "PT30M, 30 min",
        "PT1H, 1 h",
        "PT1H30M, 1 h 30 min",
        "PT1H0.5S, 1 h 0.5 s",
        "PT24H, 24 h",
        "PT-5S, -5 s"
    })
    void aDurationIsWrittenForPeople(Duration duration, String text) {
        assertThat(ReadableTime.of(duration)).isEqualTo(text);
    }
}
