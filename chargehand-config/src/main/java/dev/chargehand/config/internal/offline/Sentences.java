package dev.chargehand.config.internal.offline;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a passage of Markdown apart into sentences that can be quoted: no code, no tables, no headings. */
final class Sentences {

    private static final Pattern FENCE = Pattern.compile("\\s*(`{3,}|~{3,}).*");
    private static final Pattern NO_PROSE = Pattern.compile("\\s*(?:\\||#{1,6} |<|[-=*_]{3,}\\s*$).*");
    private static final Pattern ITEM = Pattern.compile("\\s*(?:[-*+]|\\d{1,9}[.)])[ \t]+");
    private static final Pattern QUOTE = Pattern.compile("^\\s*>[ ]?");

    /** After a full stop and before a capital or code, but not after "e.g." and the like. */
    private static final Pattern END = Pattern.compile("(?<=[.!?…][)\"'”’*`]{0,2})"
            + "(?<!\\b(?:e\\.g|i\\.e|etc|vs|cf|Nr|No|z\\.B)\\.)"
            + "\\s+(?=[\"'“(*\\[]*[`\\p{Lu}\\p{N}\\p{Lo}])");

    private Sentences() {}

    static List<String> of(String passage) {
        List<String> sentences = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        String fence = "";
        for (String line : passage.lines().toList()) {
            Matcher marks = FENCE.matcher(line);
            if (marks.matches() && (fence.isEmpty() || marks.group(1).startsWith(fence))) {
                end(paragraph, sentences);
                fence = fence.isEmpty() ? marks.group(1) : "";
            } else if (fence.isEmpty()) {
                boolean item = ITEM.matcher(line).lookingAt();
                if (line.isBlank() || item || NO_PROSE.matcher(line).matches()) {
                    end(paragraph, sentences);
                }
                if (!NO_PROSE.matcher(line).matches()) {
                    String prose = QUOTE.matcher(line).replaceFirst("");
                    Matcher mark = ITEM.matcher(prose);
                    paragraph
                            .append((mark.lookingAt() ? prose.substring(mark.end()) : prose).strip())
                            .append(' ');
                }
            }
        }
        end(paragraph, sentences);
        return sentences;
    }

    private static void end(StringBuilder paragraph, List<String> sentences) {
        END.splitAsStream(paragraph.toString().strip())
                .filter(sentence -> !sentence.isBlank())
                .forEach(sentences::add);
        paragraph.setLength(0);
    }
}
