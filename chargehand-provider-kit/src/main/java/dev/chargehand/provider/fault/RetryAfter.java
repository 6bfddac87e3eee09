package dev.chargehand.provider.fault;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.MessageHeaders;
import org.jspecify.annotations.Nullable;

/** Reads how long a provider asks to wait: {@code retry-after-ms}, or {@code Retry-After} in seconds or as a date. */
public final class RetryAfter {

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    /** An upper bound that keeps absurd numbers out of the arithmetic. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private RetryAfter() {}

    /** Return the wait, or null if none was requested in a readable form. */
    public static @Nullable Duration of(MessageHeaders headers, InstantSource clock) {
        Duration millis = number(text(headers, "retry-after-ms"), 1e6);
        if (millis != null) {
            return millis;
        }
        String text = text(headers, "Retry-After");
        Duration seconds = number(text, 1e9);
        return seconds != null ? seconds : until(text, headers, clock);
    }

    /** Return a wait such as {@code 34.5s}, the form of durations in Google's JSON; null for anything else. */
    static @Nullable Duration seconds(String text) {
        return text.endsWith("s") ? number(text.substring(0, text.length() - 1), 1e9) : null;
    }

    private static @Nullable Duration number(String text, double nanos) {
        if (!NUMBER.matcher(text).matches()) {
            return null;
        }
        double wait = Double.parseDouble(text) * nanos;
        return wait < LONGEST.toNanos() ? Duration.ofNanos((long) Math.ceil(wait)) : LONGEST;
    }

    /** Count from the provider's own clock where it sends its time: ours may be wrong. */
    private static @Nullable Duration until(String text, MessageHeaders headers, InstantSource clock) {
        Instant date = date(text);
        if (date == null) {
            return null;
        }
        Instant now = date(text(headers, "Date"));
        Duration wait = Duration.between(now == null ? clock.instant() : now, date);
        return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }

    private static @Nullable Instant date(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static String text(MessageHeaders headers, String name) {
        Header header = headers.getFirstHeader(name);
        String value = header == null ? null : header.getValue();
        return value == null ? "" : value.strip();
    }
}
