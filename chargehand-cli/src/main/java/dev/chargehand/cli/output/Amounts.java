package dev.chargehand.cli.output;

import dev.chargehand.completion.ScorerResult;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes times, durations, token counts and costs for people. */
public final class Amounts {

    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private Amounts() {}

    /** Write a duration. */
    public static String seconds(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (millis >= 3_600_000) {
            return String.format(Locale.ROOT, "%,d h %02d min", millis / 3_600_000, millis / 60_000 % 60);
        }
        return millis < 60_000
                ? String.format(Locale.ROOT, "%.2f s", millis / 1000.0)
                : String.format(Locale.ROOT, "%d min %02d s", millis / 60_000, millis / 1000 % 60);
    }

    /** Since the start of a run; always of the same width, up to a day. */
    static String elapsed(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        return String.format(Locale.ROOT, "%8.2fs", millis / 1000.0);
    }

    /** Write a time in the local time zone, to the second. */
    public static String local(Instant time) {
        return LOCAL.format(time.atZone(ZoneId.systemDefault()));
    }

    /** Write a duration so far, without fractions that only flicker. */
    public static String passed(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        return seconds < 60 ? seconds + " s" : String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60);
    }

    /** Write a cost, in the currency of the prices. */
    public static String cost(BigDecimal cost) {
        return cost.setScale(Math.max(2, Math.min(6, 2 - cost.precision() + cost.scale())), RoundingMode.HALF_UP)
                .toPlainString();
    }

    /** Write a number of tokens. */
    public static String tokens(Usage usage) {
        return String.format(Locale.ROOT, "%,d in + %,d out tokens", usage.inputTokens(), usage.outputTokens());
    }

    /** Write a number of tokens in a short form. */
    public static String shortTokens(Usage usage) {
        return String.format(Locale.ROOT, "%,d+%,d", usage.inputTokens(), usage.outputTokens());
    }

    /** Write a number of things. */
    public static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    static String scores(List<ScorerResult> results) {
        return results.stream()
                .map(result -> result.scorer() + " " + number(result.score())
                        + (result.passed() ? "" : " (needed " + number(result.threshold()) + ")"))
                .collect(Collectors.joining(", "));
    }

    /** With two decimals at most, and never more than it is. */
    private static String number(double score) {
        return BigDecimal.valueOf(score)
                .setScale(2, RoundingMode.DOWN)
                .stripTrailingZeros()
                .toPlainString();
    }
}
