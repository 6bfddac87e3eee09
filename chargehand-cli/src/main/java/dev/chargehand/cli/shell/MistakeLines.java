package dev.chargehand.cli.shell;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.document.Mistake;
import java.util.ArrayList;
import java.util.List;

/** Says what is wrong with a file, one line for each mistake. */
public final class MistakeLines {

    private static final int MOST = 50;
    private static final int LONGEST = 2_000;

    private MistakeLines() {}

    public static List<String> of(List<Mistake> mistakes) {
        return ofTexts(mistakes.stream().map(Mistake::toString).toList());
    }

    public static List<String> ofTexts(List<String> mistakes) {
        List<String> lines = new ArrayList<>();
        mistakes.stream()
                .limit(MOST)
                .forEach(mistake -> lines.add("chargehand: " + Visible.line(Passwords.hidden(mistake), LONGEST)));
        if (mistakes.size() > MOST) {
            lines.add("chargehand: and " + (mistakes.size() - MOST) + " mistakes more");
        }
        return lines;
    }
}
