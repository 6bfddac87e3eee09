package dev.chargehand.document;

import dev.chargehand.run.TimeLimit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a value of the file must look like.
 *
 * @param wanted its description, as a continuation of "must be"
 * @param most the most that it may be, as errors about larger values say; empty if there is no bound
 * @param parser reads it, or returns nothing if it looks otherwise
 * @param <T> what it becomes
 */
public record ValueKind<T>(String wanted, String most, Function<String, Optional<T>> parser) {

    private static final Pattern LARGE = Pattern.compile("[0-9]{10,}|[0-9]+ ?(ms|s|m|h)");

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");
    private static final Duration LONGEST = TimeLimit.LONGEST;

    /** How long something may take, such as 30s. */
    public static final ValueKind<Duration> TIME = new ValueKind<>(
            "a time above zero such as 500ms, 30s, 2m or 1h", LONGEST.toDays() + " days", ValueKind::duration);

    /** A part of a whole. */
    public static final ValueKind<Double> SHARE = decimal(
                    "a number above 0 and at most 1",
                    value -> value.signum() > 0 && value.compareTo(BigDecimal.ONE) <= 0)
            .as(BigDecimal::doubleValue);

    /** A maximum amount of money. */
    public static final ValueKind<BigDecimal> SUM = decimal("a number above 0", value -> value.signum() > 0);

    /** What something costs, which may be nothing. */
    public static final ValueKind<BigDecimal> PRICE = decimal("a number from 0", value -> value.signum() >= 0);

    /** A number of any size. */
    public static final ValueKind<Long> WHOLE =
            new ValueKind<>("a whole number", String.valueOf(Long.MAX_VALUE), text -> parsed(text, Long::valueOf));

    /** Return what was wanted instead of a text: with the most that is allowed, if the text is more. */
    public String wantedFor(String text) {
        boolean tooMuch =
                !most.isEmpty() && LARGE.matcher(text).matches() && text.chars().anyMatch(c -> c > '0' && c <= '9');
        return tooMuch ? wanted + ", at most " + most : wanted;
    }

    public static ValueKind<Integer> from(int least) {
        return new ValueKind<>("a whole number from " + least, String.valueOf(Integer.MAX_VALUE), text -> parsed(
                        text, Integer::valueOf)
                .filter(value -> value >= least));
    }

    public static ValueKind<Integer> range(int least, int most) {
        return new ValueKind<>(
                "a whole number from " + least + " to " + most, "", text -> parsed(text, Integer::valueOf)
                        .filter(value -> value >= least && value <= most));
    }

    public static ValueKind<Long> fromLong(long least) {
        return new ValueKind<>(
                "a whole number from " + least, String.valueOf(Long.MAX_VALUE), text -> parsed(text, Long::valueOf)
                        .filter(value -> value >= least));
    }

    public static ValueKind<Double> between(int least, int most) {
        return decimal(
                        "a number from " + least + " to " + most,
                        value -> value.compareTo(BigDecimal.valueOf(least)) >= 0
                                && value.compareTo(BigDecimal.valueOf(most)) <= 0)
                .as(BigDecimal::doubleValue);
    }

    private static ValueKind<BigDecimal> decimal(String wanted, Predicate<BigDecimal> allowed) {
        return new ValueKind<>(
                wanted,
                "",
                text -> text.length() > 30
                        ? Optional.empty()
                        : parsed(text, BigDecimal::new)
                                .filter(value -> Math.abs(value.scale()) <= 100)
                                .filter(allowed));
    }

    private <U> ValueKind<U> as(Function<T, U> change) {
        return new ValueKind<>(wanted, most, text -> parser.apply(text).map(change));
    }

    private static <T> Optional<T> parsed(String text, Function<String, T> parser) {
        try {
            return Optional.of(parser.apply(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> duration(String text) {
        Matcher duration = DURATION.matcher(text);
        if (!duration.matches() || Integer.parseInt(duration.group(1)) == 0) {
            return Optional.empty();
        }
        int count = Integer.parseInt(duration.group(1));
        return Optional.of(
                        switch (duration.group(2)) {
                            case "ms" -> Duration.ofMillis(count);
                            case "s" -> Duration.ofSeconds(count);
                            case "m" -> Duration.ofMinutes(count);
                            default -> Duration.ofHours(count);
                        })
                .filter(value -> value.compareTo(LONGEST) <= 0);
    }
}
