package dev.chargehand.completion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the list of references of a text: what stands below or behind a heading such as "Sources" or "References", the
 * last lines of the text if each starts with {@code [1]}, and Markdown's footnotes.
 */
final class References {

    private static final Set<String> HEADINGS = Set.of(
            "references", "sources", "bibliography", "works cited", "citations", "footnotes", "literature", "notes");

    private static final String BLANKS = " \t\n\f\r\u000B";

    /** Longer lines name nothing. */
    private static final int LONGEST_HEADING = 200;

    private static final Pattern HEADING_NUMBER = Pattern.compile("\\d++[.)]");

    private static final Pattern MARK =
            Pattern.compile("\\[\\^?([1-9]\\d{0,2})\\]:?|(?m:^[^\\S\n]*+([1-9]\\d{0,2})[.)](?=\\s))");

    private static final Pattern BEGINS_WITH_NUMBER =
            Pattern.compile("^\\s*(?:[-*+]\\s+)?\\[\\^?[1-9]\\d{0,2}\\]:?\\s*\\S");

    private static final Pattern FOOTNOTE = Pattern.compile("^\\s*\\[\\^[1-9]\\d{0,2}\\]:\\s*\\S");

    private References() {}

    /** Return what is said of each number. */
    static Map<Integer, String> in(String text) {
        Map<Integer, String> entries = new HashMap<>();
        String list = String.join("\n", linesOfList(text.lines().toList()));
        Matcher mark = MARK.matcher(list);
        int number = 0;
        int from = 0;
        while (mark.find()) {
            put(entries, number, list.substring(from, mark.start()));
            number = Integer.parseInt(mark.group(1) == null ? mark.group(2) : mark.group(1));
            from = mark.end();
        }
        put(entries, number, list.substring(from));
        return entries;
    }

    private static void put(Map<Integer, String> entries, int number, String text) {
        String spaced = text.strip().replaceAll("\\s+", " ");
        String entry = Texts.withoutEnd(spaced, BLANKS + ";,*+-");
        if (number > 0 && !entry.isEmpty()) {
            entries.putIfAbsent(number, entry);
        }
    }

    private static List<String> linesOfList(List<String> lines) {
        List<String> list = new ArrayList<>();
        int end = startOfLastLines(lines);
        boolean below = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String introduced = introducedBy(line);
            if (isHeading(line)) {
                below = true;
            } else if (line.startsWith("#")) {
                below = false;
            } else if (introduced != null) {
                below = true;
                list.add(introduced);
            } else if (below || i >= end || FOOTNOTE.matcher(line).find()) {
                list.add(line);
            }
        }
        return list;
    }

    /** Return whether a line is one of the names by itself, perhaps numbered, marked and with a colon. */
    private static boolean isHeading(String line) {
        if (line.length() > LONGEST_HEADING) {
            return false;
        }
        String heading = Texts.withoutStart(line, BLANKS + "#*_");
        Matcher number = HEADING_NUMBER.matcher(heading);
        String named = Texts.withoutEnd(number.lookingAt() ? heading.substring(number.end()) : heading, BLANKS + "*_");
        return isName(
                named.endsWith(":") ? Texts.withoutEnd(named.substring(0, named.length() - 1), BLANKS + "*_") : named);
    }

    /** Return what follows one of the names and a colon, or null. */
    private static @Nullable String introducedBy(String line) {
        String introduction = Texts.withoutStart(line, BLANKS + "*_");
        int colon = introduction.indexOf(':');
        if (colon < 0 || !isName(Texts.withoutEnd(introduction.substring(0, colon), "*_"))) {
            return null;
        }
        String rest = Texts.withoutStart(introduction.substring(colon + 1), "*_");
        String introduced = Texts.withoutStart(rest, BLANKS);
        return introduced.isEmpty() || introduced.length() == rest.length() ? null : introduced;
    }

    private static boolean isName(String words) {
        return HEADINGS.contains(words.strip().toLowerCase(Locale.ROOT));
    }

    private static int startOfLastLines(List<String> lines) {
        int start = lines.size();
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (BEGINS_WITH_NUMBER.matcher(lines.get(i)).find()) {
                start = i;
            } else if (!lines.get(i).isBlank()) {
                return start;
            }
        }
        return start;
    }
}
