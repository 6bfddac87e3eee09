package dev.chargehand.config.internal.offline;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A passage that was found.
 *
 * @param source where it stands, such as {@code docs/concepts.md:12}; empty if that is not known
 * @param heading the heading above it; may be empty
 * @param text the passage
 */
record Finding(String source, String heading, String text) {

    private static final Pattern TABLE = Pattern.compile("(?i).*\\.(?:csv|tsv)(?::\\d+)?");

    private static final Pattern CODE = Pattern.compile(
            "(?i).*\\.(?:java|kts?|scala|groovy|gradle|[mc]?js|jsx|tsx?|go|rs|c|h|cc|[ch]pp|cs|php|swift"
                    + "|proto|sql|py|rb|sh|graphql)(?::\\d+)?");

    /** Return what can be quoted of the passage, in its order. */
    List<String> sentences() {
        return CODE.matcher(source).matches() ? CodeComments.of(text) : Sentences.of(text, columns());
    }

    /** Return the names of the columns of a file of a table, whose first line is the heading of the others; else none. */
    private List<String> columns() {
        return !heading.isEmpty() && TABLE.matcher(source).matches() ? TableRows.cells(heading) : List.of();
    }
}
