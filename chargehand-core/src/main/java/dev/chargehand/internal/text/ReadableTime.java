package dev.chargehand.internal.text;

import java.math.BigDecimal;
import java.time.Duration;

/** Writes durations for people: {@code 0.05 s}, {@code 2 min}, {@code 1 h 30 min}. */
public final class ReadableTime {

    private static final int NANO_DIGITS = 9;

    private ReadableTime() {}

    /** Write a duration, exactly. */
    public static String of(Duration duration) {
        if (duration.isNegative() && !duration.equals(Duration.ofSeconds(Long.MIN_VALUE))) {
            return "-" + of(duration.negated());
        }
        StringBuilder text = new StringBuilder();
        add(text, duration.toHours(), "h");
        add(text, duration.toMinutesPart(), "min");
        BigDecimal seconds = BigDecimal.valueOf(duration.toSecondsPart())
                .add(BigDecimal.valueOf(duration.toNanosPart(), NANO_DIGITS))
                .stripTrailingZeros();
        if (seconds.signum() != 0 || text.isEmpty()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(seconds.toPlainString())
                    .append(" s");
        }
        return text.toString();
    }

    private static void add(StringBuilder text, long count, String unit) {
        if (count != 0) {
            text.append(text.isEmpty() ? "" : " ").append(count).append(' ').append(unit);
        }
    }
}
