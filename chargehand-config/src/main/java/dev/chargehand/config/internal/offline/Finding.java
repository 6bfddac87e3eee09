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

    private static final Pattern DATA = Pattern.compile("(?i).*\\.(?:json|ya?ml)(?::\\d+)?");

    /** What an entry of JSON or YAML has besides its names and values. */
    private static final Pattern DATA_MARKS =
            Pattern.compile("^(?:- +)++|^[\\[\\]{}]+,?$|[\\[{]$|(?<=:)\\s*[|>][-+]?$|,$|(?<!\\\\)\"");

    private static final Pattern DATA_START = Pattern.compile("\\s*(?:- |\"|[\\w.$-]+:)");

    private static final Pattern CODE = Pattern.compile(
            "(?i).*\\.(?:java|kts?|scala|groovy|gradle|[mc]?js|jsx|tsx?|go|rs|c|h|cc|[ch]pp|cs|php|swift"
                    + "|proto|sql|py|rb|sh|graphql)(?::\\d+)?");

    /** Return the file of the source: what stands before its place. */
    String file() {
        int place = source.lastIndexOf(':');
        return place < 0 ? source : source.substring(0, place);
    }

    /** Return what can be quoted of the passage, in its order. */
    List<String> sentences() {
        if (isData()) {
            return List.of(entry());
        }
        return CODE.matcher(source).matches() ? CodeComments.of(text) : Sentences.of(text, columns());
    }

    /** Return whether it is an entry of JSON or YAML, of which few characters say something. */
    boolean isData() {
        return DATA.matcher(source).matches();
    }

    /** Return an entry of data in one line: {@code name: web; ports: 80}. */
    private String entry() {
        StringBuilder entry = new StringBuilder();
        for (String line : text.lines().toList()) {
            String bare = DATA_MARKS.matcher(line.strip()).replaceAll("").strip();
            if (bare.isEmpty()) {
                continue;
            }
            if (!entry.isEmpty()) {
                boolean continues = entry.charAt(entry.length() - 1) == ':'
                        || !DATA_START.matcher(line).lookingAt();
                entry.append(continues ? " " : "; ");
            }
            entry.append(bare);
        }
        return entry.toString();
    }

    /** Return the names of the columns of a file of a table, whose first line is the heading of the others; else none. */
    private List<String> columns() {
        return !heading.isEmpty() && TABLE.matcher(source).matches() ? TableRows.cells(heading) : List.of();
    }
}
