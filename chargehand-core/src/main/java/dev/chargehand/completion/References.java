package dev.chargehand.completion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the list of references of a text: what stands below or behind a heading such as "Sources" or "References", the
 * last lines of the text if each begins with {@code [1]}, and Markdown's footnotes.
 */
final class References {

    private static final Set<String> HEADINGS = Set.of(
            "references", "sources", "bibliography", "works cited", "citations", "footnotes", "literature", "notes");

    /** A heading of one of these names, by itself or before the first entry. */
    private static final Pattern HEADING =
            Pattern.compile("^[#*_\\s]*(?:\\d+[.)]\\s*)?([A-Za-z ]+?)[*_\\s]*:?[*_\\s]*$");

    private static final Pattern INTRODUCTION = Pattern.compile("^[*_\\s]*([A-Za-z ]+?)[*_]*:[*_]*\\s+(?=\\S)");

    private static final Pattern MARK =
            Pattern.compile("\\[\\^?([1-9]\\d{0,2})\\]:?|(?m:^\\s*([1-9]\\d{0,2})[.)](?=\\s))");

    private static final Pattern BEGINS_WITH_NUMBER =
            Pattern.compile("^\\s*(?:[-*+]\\s+)?\\[\\^?[1-9]\\d{0,2}\\]:?\\s*\\S");

    private static final Pattern FOOTNOTE = Pattern.compile("^\\s*\\[\\^[1-9]\\d{0,2}\\]:\\s*\\S");

    private References() {}

    /** Returns what is said of each number. */
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
        String entry = text.strip().replaceAll("\\s+", " ").replaceFirst("[\\s;,*+-]+$", "");
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
            Matcher introduction = INTRODUCTION.matcher(line);
            if (isHeading(line)) {
                below = true;
            } else if (line.startsWith("#")) {
                below = false;
            } else if (introduction.find() && isName(introduction.group(1))) {
                below = true;
                list.add(line.substring(introduction.end()));
            } else if (below || i >= end || FOOTNOTE.matcher(line).find()) {
                list.add(line);
            }
        }
        return list;
    }

    private static boolean isHeading(String line) {
        Matcher heading = HEADING.matcher(line);
        return heading.matches() && isName(heading.group(1));
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
