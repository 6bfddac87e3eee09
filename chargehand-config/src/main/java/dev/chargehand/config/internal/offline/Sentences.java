package dev.chargehand.config.internal.offline;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes a passage of Markdown apart into what can be quoted: sentences, rows of tables with the names of their columns, and
 * the steps or the sample that a sentence introduces, together with it. No code without a sentence, and no headings.
 */
final class Sentences {

    /** The most characters of an introduction with what it introduces. */
    private static final int LONGEST = 560;

    private static final Pattern FENCE = Pattern.compile("\\s*(`{3,}|~{3,}).*");
    private static final Pattern NO_PROSE = Pattern.compile("\\s*(?:\\||#{1,6} |<|[-=*_]{3,}\\s*$).*");
    private static final Pattern ITEM = Pattern.compile("\\s*(?:[-*+]|\\d{1,9}[.)])[ \t]+");
    private static final Pattern CODE_END = Pattern.compile("[{};>]\\s*$|^\\s*[\\w.-]+\\s*[:=]");
    private static final Pattern QUOTE = Pattern.compile("^\\s*>[ ]?");

    /** After a full stop and before a capital or code, but not after "e.g." and the like. */
    private static final Pattern END = Pattern.compile("(?<=[.!?…][)\"'”’*`]{0,2})"
            + "(?<!\\b(?:e\\.?g|i\\.?e|etc|vs|cf|al|resp|approx|Nr|No|z\\.B)\\.)"
            + "\\s+(?=[\"'“(*\\[]*[`\\p{Lu}\\p{N}\\p{Lo}])");

    /** Between the words of lines that were filled, and a word that was divided at the end of a line. */
    private static final Pattern GAP = Pattern.compile("\u2010?\\s+");

    private final List<String> found = new ArrayList<>();
    private final StringBuilder paragraph = new StringBuilder();

    /** The sentence that ends with a colon above the lines that follow; empty if there is none. */
    private String introduction = "";

    private final StringBuilder introduced = new StringBuilder();
    private List<String> names = List.of();
    private String fence = "";

    private Sentences() {}

    /**
     * Take a passage apart.
     *
     * @param columns the names of its columns if every line is a row of a table; else empty
     */
    static List<String> of(String passage, List<String> columns) {
        List<String> lines = passage.lines().toList();
        if (!columns.isEmpty()) {
            return lines.stream()
                    .map(line -> TableRows.text(columns, TableRows.cells(line)))
                    .toList();
        }
        Sentences sentences = new Sentences();
        for (int i = afterCutCode(lines); i < lines.size(); i++) {
            sentences.add(lines.get(i), i + 1 < lines.size() ? lines.get(i + 1) : "");
        }
        sentences.endOfParagraph();
        sentences.endOfIntroduced();
        return sentences.found;
    }

    /** A long block of code may be cut: what is before the end of one that starts in an earlier passage is code. */
    private static int afterCutCode(List<String> lines) {
        int fences = 0;
        int first = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (FENCE.matcher(lines.get(i)).matches()) {
                first = fences == 0 ? i : first;
                fences++;
            }
        }
        return fences % 2 == 1 && lines.get(first).strip().matches("`+|~+") && codeBefore(lines, first) ? first + 1 : 0;
    }

    private static boolean codeBefore(List<String> lines, int fence) {
        return lines.subList(0, fence).stream()
                .anyMatch(line -> CODE_END.matcher(line).find());
    }

    /** Take a passage apart that is not a table. */
    static List<String> of(String passage) {
        return of(passage, List.of());
    }

    /** Return whether something quoted is a sentence with the steps or the sample that it introduces. */
    static boolean isSteps(String quoted) {
        return quoted.indexOf('\n') >= 0;
    }

    private void add(String line, String next) {
        Matcher marks = FENCE.matcher(line);
        if (marks.matches() && (fence.isEmpty() || marks.group(1).startsWith(fence))) {
            endOfParagraph();
            fence = fence.isEmpty() ? marks.group(1) : "";
            introduce(line);
        } else if (!fence.isEmpty()) {
            introduce(line);
        } else if (line.strip().startsWith("|")) {
            addRow(line, next);
        } else {
            names = List.of();
            addProse(line);
        }
    }

    private void addRow(String line, String next) {
        endOfParagraph();
        endOfIntroduced();
        if (TableRows.isDelimiter(next)) {
            names = TableRows.piped(line);
        } else if (!names.isEmpty() && !TableRows.isDelimiter(line)) {
            found.add(TableRows.text(names, TableRows.piped(line)));
        }
    }

    private void addProse(String line) {
        boolean item = ITEM.matcher(line).lookingAt();
        boolean prose = !NO_PROSE.matcher(line).matches();
        if (line.isBlank() || item || !prose) {
            endOfParagraph();
        }
        boolean continues = item || line.isBlank() || Character.isWhitespace(line.charAt(0));
        if (!prose || (!continues && paragraph.isEmpty())) {
            endOfIntroduced();
        }
        if (!introduction.isEmpty()) {
            introduce(line);
        }
        if (prose) {
            String text = QUOTE.matcher(line).replaceFirst("");
            Matcher mark = ITEM.matcher(text);
            paragraph
                    .append((mark.lookingAt() ? text.substring(mark.end()) : text).strip())
                    .append(' ');
        }
    }

    private void introduce(String line) {
        if (!introduction.isEmpty() && !(introduced.isEmpty() && line.isBlank())) {
            introduced.append('\n').append(line);
        }
    }

    private void endOfIntroduced() {
        if (!introduced.toString().isBlank()) {
            found.add(shortened(introduction + introduced.toString().stripTrailing()));
        }
        introduction = "";
        introduced.setLength(0);
    }

    /** Keep whole lines, and close a block of code that they leave open. */
    private static String shortened(String quoted) {
        if (quoted.length() <= LONGEST) {
            return quoted;
        }
        StringBuilder kept = new StringBuilder();
        String open = "";
        for (String line : quoted.lines().toList()) {
            if (kept.length() + line.length() > LONGEST) {
                break;
            }
            Matcher marks = FENCE.matcher(line);
            if (marks.matches()) {
                open = open.isEmpty() ? marks.group(1) : "";
            }
            kept.append(line).append('\n');
        }
        return kept.append('…').append(open.isEmpty() ? "" : "\n" + open).toString();
    }

    private void endOfParagraph() {
        String text = GAP.matcher(paragraph)
                .replaceAll(gap -> gap.group().startsWith("\u2010") ? "" : " ")
                .strip();
        paragraph.setLength(0);
        END.splitAsStream(text).filter(sentence -> !sentence.isBlank()).forEach(found::add);
        if (text.endsWith(":") && introduced.isEmpty()) {
            introduction = found.removeLast();
        }
    }
}
