package dev.chargehand.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** A description of an exception is one line of a log, without secrets. */
class RedactorTest {

    @Test
    void anExceptionIsDescribedInOneLine() {
        Redactor redactor = new Redactor();
        redactor.learn(Set.of("secret\nof two lines"));
        IllegalStateException thrown = new IllegalStateException(
                "It is\r\n  closed.\n\nWARN forged, with secret\nof two lines",
                new IllegalArgumentException("One\u2028two\u0085three\n"));
        assertThat(redactor.describeWithCauses(thrown))
                .isEqualTo("java.lang.IllegalStateException: It is closed. WARN forged, with [redacted]"
                        + "; caused by java.lang.IllegalArgumentException: One two three ");
        String blank = "\n" + " ".repeat(3_000);
        assertThat(redactor.describe(new IllegalStateException(blank.repeat(2) + "x")))
                .isEqualTo("java.lang.IllegalStateException:  x");
    }
}
