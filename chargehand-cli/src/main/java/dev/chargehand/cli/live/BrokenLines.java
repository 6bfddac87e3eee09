package dev.chargehand.cli.live;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.AttributedString;

/** Breaks lines for people where words end, before the terminal breaks them anywhere. */
public final class BrokenLines {

    private static final Pattern SECOND_COLUMN = Pattern.compile("\\s*+\\S++(?: \\S++)*+ {2,}+|\\s++");

    private BrokenLines() {}

    /** Return the lines of a text, none wider than so many columns if it can be broken; further parts are indented to its second column. */
    public static List<String> of(String text, int columns) {
        List<String> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher column = SECOND_COLUMN.matcher(line);
            int hanging = column.lookingAt() && column.end() <= columns / 2 ? column.end() : 0;
            lines.addAll(of(line, columns, fitting(line, columns, hanging)));
        }
        return lines.isEmpty() ? List.of("") : lines;
    }

    /** Return by how many columns the parts of a line may be indented, so many at most, so that no word need be torn. */
    static int fitting(String line, int columns, int hanging) {
        int longest = 0;
        for (int start = 0; start < line.length(); ) {
            int blank = line.indexOf(' ', start);
            int end = blank < 0 ? line.length() : blank;
            longest = Math.max(longest, new AttributedString(line.substring(start, end)).columnLength());
            start = end + 1;
        }
        return longest > columns ? hanging : Math.min(hanging, columns - longest);
    }

    /** Return the parts of a line, all but the first indented by so many columns. */
    public static List<String> of(String line, int columns, int hanging) {
        return Look.wrap(
                        new AttributedString(line),
                        AttributedString.EMPTY,
                        new AttributedString(" ".repeat(hanging)),
                        columns)
                .stream()
                .map(part -> part.toString().stripTrailing())
                .toList();
    }
}
