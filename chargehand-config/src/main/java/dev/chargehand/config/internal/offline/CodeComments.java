package dev.chargehand.config.internal.offline;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a passage of source code apart into the sentences of its comments, the last of each with the next line. */
final class CodeComments {

    private static final int LONGEST_LINE = 160;

    /** The start of a comment, or of a further line of one, with what it says. */
    private static final Pattern COMMENT =
            Pattern.compile("^\\s*(?:/\\*+|\\*+/?|//+|--|#+(?!!|\\[|include)|\"\"\")\\s?(.*)$");

    private static final Pattern END = Pattern.compile("(?:\\*/|\"\"\")$");
    private static final Pattern TAG = Pattern.compile("^@\\w+\\s+");
    private static final Pattern MARKUP = Pattern.compile("\\{@\\w+\\s+([^}]*)}|</?\\w+>");
    private static final Pattern ANNOTATION = Pattern.compile("^[@\\[].*");

    private CodeComments() {}

    static List<String> of(String passage) {
        List<String> found = new ArrayList<>();
        StringBuilder comment = new StringBuilder();
        for (String line : passage.lines().toList()) {
            Matcher said = COMMENT.matcher(line);
            String code = line.strip();
            if (said.matches()) {
                String text = END.matcher(said.group(1).strip()).replaceFirst("");
                boolean tag = TAG.matcher(text).find();
                comment.append(tag ? "\n\n" + TAG.matcher(text).replaceFirst("") : text)
                        .append('\n');
            } else if (!comment.isEmpty() && !ANNOTATION.matcher(code).matches()) {
                end(comment, code, found);
            }
        }
        end(comment, "", found);
        return found;
    }

    private static void end(StringBuilder comment, String code, List<String> found) {
        String text = MARKUP.matcher(comment)
                .replaceAll(
                        markup -> markup.group(1) == null ? "" : Matcher.quoteReplacement("`" + markup.group(1) + "`"));
        List<String> sentences = Sentences.of(text);
        comment.setLength(0);
        found.addAll(sentences);
        if (!sentences.isEmpty() && code.endsWith(";") && code.length() <= LONGEST_LINE) {
            found.set(found.size() - 1, found.getLast() + " `" + code + "`");
        }
    }
}
