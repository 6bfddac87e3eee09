package dev.chargehand.completion;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds what a text cites: web addresses, lines of files, and numbers with their entries in the list of references. */
final class Citations {

    private static final Pattern URL = Pattern.compile(
            "(?i)(?<![\\p{L}\\p{N}_])https?://(?:[^\\s<>\"'`()\\[\\]{}|\\\\]++|\\([^\\s()<>\"]*+\\))++");

    /** Lines, or of documents what the tool search-files cites them by. */
    private static final String LINES = ":(p|para|slide|sheet\\d{1,4}\\.row)?(\\d{1,7})(?:[-–](\\d{1,7}))?(?!\\d)";

    private static final Pattern PLACE = Pattern.compile("(?<![\\p{L}\\p{N}_./~@+%-])([\\p{L}\\p{N}_./~@+%-]*"
            + "[\\p{L}\\p{N}_~@+%-]\\.([A-Za-z][A-Za-z0-9]{0,9}))" + LINES);

    private static final Pattern BRACKETS = Pattern.compile("\\[([^\\[\\]\\n]{1,300})\\]");

    private static final Pattern PLACE_WITH_SPACES =
            Pattern.compile("(\\S[^:]* \\S*\\.[A-Za-z][A-Za-z0-9]{0,9})" + LINES);

    /** Not in a Markdown link, whose address is the citation. */
    private static final Pattern NUMBERS =
            Pattern.compile("\\[(\\^?[1-9]\\d{0,2}(?:\\s*[,;]\\s*\\^?[1-9]\\d{0,2}){0,30}+)\\](?!\\()");

    private static final Pattern INLINE_CODE = Pattern.compile("`[^`\\n]*+`");

    /** A longer one is no place, and looking for it would take long. */
    private static final int LONGEST_PLACE = 1_000;

    /** So many places with spaces in their names are recognised without brackets too. */
    private static final int MOST_WITH_SPACES = 100;

    private static final String AFTER_ADDRESS = ".,;:!?*_/";

    /** What ends a host rather than a file. */
    private static final Set<String> HOSTS = Set.of("com", "org", "net", "edu", "gov", "local");

    private final Map<String, Citation> found = new LinkedHashMap<>();
    private final Set<Integer> numbers = new HashSet<>();
    private final Set<String> withSpaces = new LinkedHashSet<>();

    private Citations() {}

    /** Return what an answer cites, each source once. Code is not searched, but for places and addresses in a line. */
    static List<Citation> in(String answer) {
        Citations citations = new Citations();
        String text = FencedCode.blankedOut(answer);
        citations.addSources(text);
        citations.addNumbers(without(text, INLINE_CODE), References.in(text));
        return List.copyOf(citations.found.values());
    }

    /** Return the web addresses of a text, wherever they are in it, in the form that {@link #in} gives them. */
    static Set<String> addressesIn(String text) {
        Citations citations = new Citations();
        citations.addAddresses(text);
        return citations.found.keySet();
    }

    private void addSources(String text) {
        String rest = BRACKETS.matcher(addAddresses(text))
                .replaceAll(brackets -> Matcher.quoteReplacement(withoutPlaces(brackets.group())));
        for (String named : withSpaces) {
            rest = rest.replace(named, " ".repeat(named.length()));
        }
        for (MatchResult place : PLACE.matcher(rest).results().toList()) {
            boolean host = HOSTS.contains(place.group(2).toLowerCase(Locale.ROOT))
                    && !place.group(1).contains("/");
            if (!host) {
                add(place(place, place.group(3), place.group(4), place.group(5)));
            }
        }
    }

    /** Add the places between brackets whose names have spaces, and return the brackets without them. */
    private String withoutPlaces(String brackets) {
        StringBuilder rest = new StringBuilder(brackets);
        int from = 1;
        for (String piece : brackets.substring(1, brackets.length() - 1).split("[,;]", -1)) {
            Matcher place = PLACE_WITH_SPACES.matcher(piece.strip());
            if (place.matches()) {
                add(place(place, place.group(2), place.group(3), place.group(4)));
                if (withSpaces.size() < MOST_WITH_SPACES) {
                    withSpaces.add(piece);
                }
                rest.replace(from, from + piece.length(), " ".repeat(piece.length()));
            }
            from += piece.length() + 1;
        }
        return rest.toString();
    }

    private void add(Citation.Place place) {
        if (place.file().length() > LONGEST_PLACE) {
            return;
        }
        found.putIfAbsent(place.file() + ":" + place.unit() + place.from() + "-" + place.to(), place);
    }

    private static Citation.Place place(MatchResult match, @Nullable String unit, String first, @Nullable String last) {
        String file = match.group(1);
        int from = Integer.parseInt(first);
        int to = last == null ? from : Math.max(from, Integer.parseInt(last));
        return new Citation.Place(
                match.group(), file, file.substring(file.lastIndexOf(' ') + 1), unit == null ? "" : unit, from, to);
    }

    /** Return the text without the addresses, in which nothing else is to be found. */
    private String addAddresses(String text) {
        for (MatchResult url : URL.matcher(text).results().toList()) {
            String address = Texts.withoutEnd(url.group(), AFTER_ADDRESS);
            found.putIfAbsent(address, new Citation.Url(address));
        }
        return without(text, URL);
    }

    private void addNumbers(String text, Map<Integer, String> entries) {
        for (MatchResult numbers : NUMBERS.matcher(text).results().toList()) {
            for (String number : numbers.group(1).split("[,;]", -1)) {
                addNumber(Integer.parseInt(number.replace("^", "").strip()), entries);
            }
        }
    }

    /** An entry that names an address or a place is that citation, which has been found where it stands. */
    private void addNumber(int number, Map<Integer, String> entries) {
        if (!numbers.add(number)) {
            return;
        }
        String entry = entries.get(number);
        if (entry == null) {
            found.putIfAbsent("[" + number + "]", new Citation.Numbered(number, null));
            return;
        }
        Citations named = new Citations();
        named.addSources(entry);
        if (named.found.isEmpty()) {
            found.putIfAbsent(entry, new Citation.Numbered(number, entry));
        }
    }

    /** Blank out what matches, so that what is left stays where it is. */
    private static String without(String text, Pattern pattern) {
        return pattern.matcher(text).replaceAll(match -> blank(match.group()));
    }

    static String blank(String text) {
        return text.replaceAll("[^\n]", " ");
    }
}
