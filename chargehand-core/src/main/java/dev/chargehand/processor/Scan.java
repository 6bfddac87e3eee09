package dev.chargehand.processor;

import dev.chargehand.internal.text.CheckedNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks for what is to be taken out of one text while it arrives. However the text is cut, the outcome is the same:
 * what could still become something is withheld until what comes decides. Used by one thread.
 */
final class Scan {

    /** How much of what has passed a pattern can look back on. */
    private static final int CONTEXT = 64;

    /**
     * What is withheld is looked at again when it has grown by this part, so that a long match is not read for each
     * piece.
     */
    private static final int GROWTH = 8;

    private final List<Redaction.Rule> rules;
    private final List<Detector> detectors = new ArrayList<>();
    private final StringBuilder buffer = new StringBuilder();
    private final Set<String> found = new TreeSet<>();
    private int from;
    private int lookAgain;

    Scan(List<Redaction.Rule> rules) {
        this.rules = rules;
        rules.forEach(rule -> detectors.add(rule.detector().get()));
    }

    /** Return the names of what was found so far. */
    Set<String> found() {
        return found;
    }

    /** Return what passes now, with the finds replaced. */
    String next(String more, boolean ends) {
        buffer.append(more);
        if (!ends && buffer.length() < lookAgain) {
            return "";
        }
        StringBuilder passes = new StringBuilder();
        int at = from;
        boolean open = false;
        while (at < buffer.length() && !open) {
            int length = 0;
            boolean begins = at == 0 || !CheckedNumbers.isWord(buffer.charAt(at - 1));
            for (int i = 0; i < rules.size() && length == 0; i++) {
                if (begins || !rules.get(i).beginsWord()) {
                    length = detectors.get(i).lengthAt(buffer, at, ends);
                    if (length > 0) {
                        found.add(rules.get(i).name());
                        passes.append('[').append(rules.get(i).name()).append(']');
                    }
                }
            }
            if (length == 0) {
                passes.append(buffer.charAt(at));
            }
            open = length < 0;
            at += Math.max(length, length == 0 ? 1 : 0);
        }
        int cut = Math.max(0, at - CONTEXT);
        buffer.delete(0, cut);
        from = at - cut;
        lookAgain = open ? buffer.length() + (buffer.length() - from) / GROWTH : 0;
        return passes.toString();
    }
}
