package dev.chargehand.server.internal.route;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client accepts, by its headers {@code Accept} (RFC 9110, section 12.5.1). Of the ranges that match a media type the most specific one
 * counts. Media types of the server have no parameters, so a range that has some matches them less than one that has none. An element that
 * cannot be read is ignored, as RFC 9110 allows. If there is no other, everything is accepted. Clients of old JDKs send {@code *} for all
 * media types. Immutable and thread-safe.
 *
 * @param ranges the ranges that were read; none if everything is accepted
 */
record Accept(List<Range> ranges) {

    /**
     * The media types that an element of the header names.
     *
     * @param rank how specific it is
     * @param weight how much they are preferred; 0 if they are not accepted
     */
    record Range(String name, int rank, double weight) {

        boolean matches(String mediaType) {
            return rank == ANY || (rank == ANY_OF_TYPE ? mediaType.startsWith(name) : mediaType.equals(name));
        }
    }

    private static final int ANY = 0;
    private static final int ANY_OF_TYPE = 1;
    private static final int WITH_PARAMETERS = 2;
    private static final int EXACT = 3;

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]++";
    private static final Pattern NAME = Pattern.compile("(?:(" + TOKEN + ")/)?(" + TOKEN + ")");
    private static final Pattern WEIGHT = Pattern.compile("q\\s*=\\s*(0?\\.[0-9]+|0\\.?|1(?:\\.0*)?)");
    private static final Range EVERYTHING = new Range("", ANY, 1);
    private static final Range NOTHING = new Range("", ANY, 0);
    private static final Comparator<Range> SPECIFIC =
            Comparator.comparingInt(Range::rank).thenComparingDouble(Range::weight);

    /**
     * Read the header.
     *
     * @param lines its values; each may be a list
     */
    static Accept of(List<String> lines) {
        return new Accept(parts(String.join(",", lines), ',').stream()
                .map(Accept::range)
                .flatMap(Optional::stream)
                .toList());
    }

    /** Return whether a media type may be sent. */
    boolean allows(String mediaType) {
        return range(mediaType, ranges).weight() > 0;
    }

    /**
     * Return whether the client wants a media type rather than the one that it gets without a wish: it prefers it, or names it and has no
     * preference.
     */
    boolean prefers(String mediaType, String byDefault) {
        Range range = range(mediaType, ranges);
        double other = range(byDefault, ranges).weight();
        return range.weight() > other || (range.weight() > 0 && range.weight() == other && range.rank() > ANY_OF_TYPE);
    }

    private static Range range(String mediaType, List<Range> ranges) {
        return ranges.isEmpty()
                ? EVERYTHING
                : ranges.stream()
                        .filter(each -> each.matches(mediaType))
                        .max(SPECIFIC)
                        .orElse(NOTHING);
    }

    private static Optional<Range> range(String element) {
        List<String> parts = parts(element.toLowerCase(Locale.ROOT), ';');
        Matcher name = NAME.matcher(parts.getFirst());
        if (!name.matches()) {
            return Optional.empty();
        }
        boolean parameters = false;
        double weight = 1;
        for (String part : parts.subList(1, parts.size())) {
            Matcher matcher = WEIGHT.matcher(part);
            if (matcher.matches()) {
                weight = Double.parseDouble(matcher.group(1));
            } else if (part.startsWith("q=") || part.startsWith("q ")) {
                return Optional.empty();
            } else {
                parameters |= !part.isEmpty();
            }
        }
        return range(Optional.ofNullable(name.group(1)), name.group(2), parameters, weight);
    }

    private static Optional<Range> range(Optional<String> type, String subtype, boolean parameters, double weight) {
        boolean anySubtype = subtype.equals("*");
        boolean anyType = type.filter(it -> !it.equals("*")).isEmpty();
        if (anyType) {
            return anySubtype ? Optional.of(new Range("", ANY, weight)) : Optional.empty();
        }
        String prefix = type.orElseThrow() + "/";
        return Optional.of(
                anySubtype
                        ? new Range(prefix, ANY_OF_TYPE, weight)
                        : new Range(prefix + subtype, parameters ? WITH_PARAMETERS : EXACT, weight));
    }

    /** Return the stripped parts between separators that are not quoted; none after a quote that does not end. */
    static List<String> parts(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        if (!quoted) {
            parts.add(text.substring(start).strip());
        }
        return parts;
    }
}
