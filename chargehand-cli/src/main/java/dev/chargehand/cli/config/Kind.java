package dev.chargehand.cli.config;

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
 * @param wanted says it, to go on after "must be"
 * @param parser reads it, or returns nothing if it looks otherwise
 * @param <T> what it becomes
 */
record Kind<T>(String wanted, Function<String, Optional<T>> parser) {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");

    /** How long something may take, such as 30s. */
    static final Kind<Duration> TIME = new Kind<>("a time above zero such as 500ms, 30s, 2m or 1h", Kind::duration);

    /** A part of a whole. */
    static final Kind<Double> SHARE = decimal(
                    "a number above 0 and at most 1",
                    value -> value.signum() > 0 && value.compareTo(BigDecimal.ONE) <= 0)
            .as(BigDecimal::doubleValue);

    /** An amount of money that somebody is ready to spend. */
    static final Kind<BigDecimal> SUM = decimal("a number above 0", value -> value.signum() > 0);

    /** What something costs, which may be nothing. */
    static final Kind<BigDecimal> PRICE = decimal("a number from 0", value -> value.signum() >= 0);

    /** A number of any size. */
    static final Kind<Long> WHOLE = new Kind<>("a whole number", text -> parsed(text, Long::valueOf));

    static Kind<Integer> from(int least) {
        return new Kind<>("a whole number from " + least, text -> parsed(text, Integer::valueOf)
                .filter(value -> value >= least));
    }

    static Kind<Integer> range(int least, int most) {
        return new Kind<>("a whole number from " + least + " to " + most, text -> parsed(text, Integer::valueOf)
                .filter(value -> value >= least && value <= most));
    }

    static Kind<Long> fromLong(long least) {
        return new Kind<>("a whole number from " + least, text -> parsed(text, Long::valueOf)
                .filter(value -> value >= least));
    }

    static Kind<Double> between(int least, int most) {
        return decimal(
                        "a number from " + least + " to " + most,
                        value -> value.compareTo(BigDecimal.valueOf(least)) >= 0
                                && value.compareTo(BigDecimal.valueOf(most)) <= 0)
                .as(BigDecimal::doubleValue);
    }

    private static Kind<BigDecimal> decimal(String wanted, Predicate<BigDecimal> allowed) {
        return new Kind<>(
                wanted,
                text -> text.length() > 30
                        ? Optional.empty()
                        : parsed(text, BigDecimal::new)
                                .filter(value -> Math.abs(value.scale()) <= 100)
                                .filter(allowed));
    }

    private <U> Kind<U> as(Function<T, U> change) {
        return new Kind<>(wanted, text -> parser.apply(text).map(change));
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
                });
    }
}
