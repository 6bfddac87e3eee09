package dev.chargehand.server.internal.route;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the header {@code Prefer} (RFC 7240). */
final class Prefer {

    private static final int DIGITS = 4;

    private static final Pattern QUOTED = Pattern.compile("^\"(.*)\"$");

    private static final Pattern LEADING_ZEROS = Pattern.compile("^0+(?=.)");

    private Prefer() {}

    /**
     * Return how long a client wants to wait for a result.
     *
     * @param header the header; several lines are one list
     * @param most the seconds that a longer wish is lowered to
     * @return empty if it does not want to, or sends a wish that cannot be read; the first wish counts
     */
    static Optional<Duration> waiting(String header, int most) {
        return Accept.parts(header, ',').stream()
                .flatMap(element -> Accept.parts(element, ';').stream().limit(1))
                .map(preference -> List.of(preference.split("=", 2)))
                .filter(preference ->
                        preference.getFirst().strip().toLowerCase(Locale.ROOT).equals("wait"))
                .findFirst()
                .flatMap(preference ->
                        seconds(QUOTED.matcher(preference.getLast().strip()).replaceAll("$1"), most));
    }

    private static Optional<Duration> seconds(String text, int most) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        String number = LEADING_ZEROS.matcher(text).replaceAll("");
        int seconds = number.length() > DIGITS ? most : Math.min(most, Integer.parseInt(number));
        return Optional.of(Duration.ofSeconds(seconds));
    }
}
