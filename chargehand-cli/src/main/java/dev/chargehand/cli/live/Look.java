package dev.chargehand.cli.live;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * What a terminal can show.
 *
 * @param colour whether colours and weights are wanted
 * @param unicode whether it shows more than ASCII
 */
public record Look(boolean colour, boolean unicode) {

    AttributedStyle style(AttributedStyle wanted) {
        return colour ? wanted : AttributedStyle.DEFAULT;
    }

    AttributedStyle faint() {
        return style(AttributedStyle.DEFAULT.faint());
    }

    AttributedStyle strong() {
        return style(AttributedStyle.BOLD);
    }

    AttributedStyle colour(int colour) {
        return style(AttributedStyle.DEFAULT.foreground(colour));
    }

    String ellipsis() {
        return unicode ? "…" : "...";
    }

    String atWork() {
        return unicode ? "●" : "*";
    }

    String waiting() {
        return unicode ? "○" : "o";
    }

    String branch(boolean last) {
        if (unicode) {
            return last ? "└─ " : "├─ ";
        }
        return last ? "`- " : "|- ";
    }

    String beside(boolean last) {
        if (last) {
            return "   ";
        }
        return unicode ? "│  " : "|  ";
    }

    String bullet() {
        return unicode ? "• " : "* ";
    }

    String bar() {
        return unicode ? "│ " : "| ";
    }

    String rule() {
        return unicode ? "─" : "-";
    }

    /** Return a line of at most so many columns; of a longer one, its start. */
    AttributedString fit(AttributedString line, int columns) {
        if (line.columnLength() <= columns) {
            return line;
        }
        int room = Math.max(0, columns - ellipsis().length());
        return AttributedString.join(
                AttributedString.EMPTY, line.columnSubSequence(0, room), new AttributedString(ellipsis()));
    }

    /**
     * Break a line where words end.
     *
     * @param first what stands before its first part
     * @param others what stands before the others
     */
    static List<AttributedString> wrap(
            AttributedString line, AttributedString first, AttributedString others, int columns) {
        List<AttributedString> parts = new ArrayList<>();
        AttributedString indent = first;
        AttributedString rest = line;
        do {
            int room = Math.max(10, columns - indent.columnLength());
            int end = rest.columnLength() <= room ? rest.length() : breakAt(rest, room);
            parts.add(AttributedString.join(AttributedString.EMPTY, indent, rest.subSequence(0, end)));
            while (end < rest.length() && rest.charAt(end) == ' ') {
                end++;
            }
            rest = rest.subSequence(end, rest.length());
            indent = others;
        } while (rest.length() > 0);
        return parts;
    }

    private static int breakAt(AttributedString line, int room) {
        int most = line.columnSubSequence(0, room).length();
        for (int i = Math.min(most, line.length() - 1); i > 0; i--) {
            if (line.charAt(i) == ' ') {
                return i;
            }
        }
        return Math.max(1, most);
    }
}
