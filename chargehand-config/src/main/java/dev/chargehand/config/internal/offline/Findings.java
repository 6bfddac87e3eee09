package dev.chargehand.config.internal.offline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes findings into texts and reads them back.
 *
 * <p>A finding is an item {@code - [docs/concepts.md:12] Heading} with its text below, indented. In a prompt the items
 * are in a fence that no line of them can close, so that a passage is never taken for something else.
 */
final class Findings {

    private static final String INTRODUCTION = "Findings so far:";
    private static final String UNKNOWN = "?";
    private static final String FENCE = "~~~";
    private static final String INDENT = "  ";

    private static final Pattern FENCED =
            Pattern.compile("(?m)^" + INTRODUCTION + "\\R\\R" + FENCE + "findings\\R((?s:.*?))^" + FENCE + "\\R?");
    private static final Pattern ITEM = Pattern.compile("- \\[([^\\]]+|.+:\\d+)](?: (.*))?");

    /** A citation in a sentence: in brackets, or bare with a name that has an ending. */
    static final Pattern CITATION = Pattern.compile(
            "\\[([^\\[\\]\\n]+:\\d+)]" + "|(?<![\\w./-])`?((?:[\\w.-]++/)*+[\\w-][\\w.-]*\\.\\w{1,8}:\\d+)`?");

    private Findings() {}

    /** Write the items, a blank line between them. */
    static String list(List<Finding> findings) {
        StringBuilder list = new StringBuilder();
        for (Finding finding : findings) {
            list.append(list.isEmpty() ? "" : "\n")
                    .append("- [")
                    .append(finding.source().isEmpty() ? UNKNOWN : finding.source())
                    .append(']')
                    .append(finding.heading().isEmpty() ? "" : " " + finding.heading())
                    .append('\n');
            finding.text().lines().forEach(line -> list.append(line.isBlank() ? "" : INDENT + line)
                    .append('\n'));
        }
        return list.toString();
    }

    /** Add the findings to a question, in the form that {@link #in} reads. */
    static String prompt(String question, List<Finding> findings) {
        if (findings.isEmpty()) {
            return question + "\n\n" + INTRODUCTION + " none.";
        }
        return question + "\n\n" + INTRODUCTION + "\n\n" + FENCE + "findings\n" + list(findings) + FENCE;
    }

    /** Remove the additions of {@link #prompt}. */
    static String withoutFindings(String prompt) {
        return FENCED.matcher(prompt).replaceAll("").replace(INTRODUCTION + " none.", "");
    }

    /** Read the findings of a text: those in a fence, else those of a list of the stand-in's, else cited sentences. */
    static List<Finding> in(String text) {
        Matcher fenced = FENCED.matcher(text);
        if (fenced.find()) {
            return distinct(items(fenced.group(1)));
        }
        boolean ours = text.contains(OfflineModel.NOTICE);
        List<Finding> items = ours ? items(text) : List.of();
        return distinct(items.isEmpty() ? cited(text) : items);
    }

    /** Keep the first of equal findings of the same place. */
    static List<Finding> distinct(List<Finding> findings) {
        Map<String, Finding> seen = new LinkedHashMap<>();
        findings.forEach(finding -> seen.putIfAbsent(finding.source() + "\n" + finding.text(), finding));
        return List.copyOf(seen.values());
    }

    private static List<Finding> items(String list) {
        List<Finding> findings = new ArrayList<>();
        Optional<Matcher> head = Optional.empty();
        StringBuilder text = new StringBuilder();
        for (String line : (list + "\n.").lines().toList()) {
            Matcher item = ITEM.matcher(line);
            if (head.isPresent() && (line.isBlank() || line.startsWith(INDENT))) {
                text.append(line.isBlank() ? "" : line.substring(INDENT.length()))
                        .append('\n');
                continue;
            }
            head.ifPresent(
                    matcher -> findings.add(finding(matcher, text.toString().strip())));
            text.setLength(0);
            head = item.matches() ? Optional.of(item) : Optional.empty();
        }
        return findings;
    }

    private static Finding finding(Matcher item, String text) {
        String source = item.group(1);
        String heading = item.group(2);
        return new Finding(source.equals(UNKNOWN) ? "" : source, heading == null ? "" : heading, text);
    }

    /** Every sentence with a citation, without it; of several citations the first one counts. */
    private static List<Finding> cited(String text) {
        List<Finding> findings = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int from = 0;
            Matcher citation = CITATION.matcher(line);
            while (citation.find()) {
                String source = citation.group(1) == null ? citation.group(2) : citation.group(1);
                String said = line.substring(from, citation.start())
                        .replaceFirst("^[\\s.,;)]*(?:[-*+] )?", "")
                        .replaceFirst("(?<![\\s(])[\\s(]*+$", "");
                if (said.length() > 2) {
                    findings.add(new Finding(source, "", said));
                }
                from = citation.end();
            }
        }
        return findings;
    }
}
