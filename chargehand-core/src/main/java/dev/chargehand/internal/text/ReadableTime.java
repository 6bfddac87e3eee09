package dev.chargehand.internal.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes durations and moments for people: {@code 0.05 s}, {@code 1 h 30 min}, {@code 2026-01-02 03:04 UTC}. */
public final class ReadableTime {

    private static final int NANO_DIGITS = 9;

    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ReadableTime() {}

    /** Write a moment, to the minute. */
    public static String of(Instant moment) {
        return MINUTES.format(moment);
    }

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
