package dev.chargehand.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The prose of a file, without samples of code, names in code marks and addresses of links. */
record Prose(List<Paragraph> paragraphs) {

    /** A paragraph, list item or table row: the line where it starts, and its text with single spaces. */
    record Paragraph(int line, String text) {}

    private static final Pattern BLOCKS = Pattern.compile("(?ms)^[ \\t]*```.*?^[ \\t]*```|<!--.*?-->");
    private static final Pattern CODE = Pattern.compile("`[^`]*`|\\]\\([^)]*\\)");
    private static final Pattern JAVADOC = Pattern.compile("(?ms)^[ \\t]*/\\*\\*.*?\\*/");
    private static final Pattern SAMPLES = Pattern.compile("(?s)<pre>.*?</pre>");
    private static final Pattern JAVADOC_CODE =
            Pattern.compile("(?s)\\{@(?:code|literal|snippet)\\b[^{}]*\\}|@param\\s+\\S+");
    private static final Pattern MARGIN = Pattern.compile("(?m)^[ \\t]*(?:/\\*\\*|\\*/|\\*)|\\*/");
    private static final String MARK = "\\s*(?:[-*|]|#+|\\d+\\.|<p>|<ul>|<ol>|<li>|(?=@))";
    private static final Pattern NEW_PARAGRAPH = Pattern.compile(MARK + ".*");

    static Prose ofMarkdown(String text) {
        return of(blanked(CODE, blanked(BLOCKS, text, " "), "x"));
    }

    static Prose ofJavadoc(String source) {
        StringBuilder comments = new StringBuilder(source.replaceAll("[^\\n]", " "));
        JAVADOC.matcher(source)
                .results()
                .forEach(found -> comments.replace(found.start(), found.end(), comment(found.group())));
        return of(comments.toString());
    }

    private static String comment(String text) {
        return blanked(MARGIN, blanked(JAVADOC_CODE, blanked(SAMPLES, text, " "), "x"), " ");
    }

    /** Replaces what a pattern finds by as many fillers, so that every line keeps its number. */
    private static String blanked(Pattern pattern, String text, String filler) {
        return pattern.matcher(text)
                .replaceAll((MatchResult found) -> found.group().replaceAll("[^\\n]", filler));
    }

    private static Prose of(String text) {
        List<Paragraph> paragraphs = new ArrayList<>();
        StringBuilder words = new StringBuilder();
        int first = 1;
        int number = 0;
        for (String line : (text + "\n\n").split("\n", -1)) {
            number++;
            if (line.isBlank() || NEW_PARAGRAPH.matcher(line).matches()) {
                add(paragraphs, first, words);
            }
            if (!line.isBlank()) {
                first = words.isEmpty() ? number : first;
                words.append(line).append(' ');
            }
        }
        add(paragraphs, first, words);
        return new Prose(List.copyOf(paragraphs));
    }

    private static void add(List<Paragraph> paragraphs, int line, StringBuilder words) {
        String text = words.toString()
                .replaceFirst("^" + MARK, "")
                .replaceAll("\\s+", " ")
                .strip();
        if (!text.isEmpty()) {
            paragraphs.add(new Paragraph(line, text));
        }
        words.setLength(0);
    }
}
