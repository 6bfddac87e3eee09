package dev.chargehand.verify.kill;

import java.util.Arrays;
import java.util.List;

/**
 * A line from a killed process to the one that kills it: a word and what it says. The end of a line is marked, so that one
 * that a kill cut short is known.
 *
 * @param word what kind of line
 * @param parts what it says; none has a tab or a line break
 */
record Line(String word, List<String> parts) {

    static final String READY = "ready";
    static final String STORED = "stored";
    static final String EFFECT = "effect";
    static final String EVENT = "event";
    static final String WAITS = "waits";
    static final String ANSWERED = "answered";
    static final String RESULT = "result";
    static final String OUTAGE = "outage";
    static final String BEGUN = "begun";
    static final String CLOCK = "clock";
    static final String HOLDS = "holds";
    static final String REFUSED = "refused";

    /** Of the parent: a process is stopped. */
    static final String STOPPED = "stopped";

    /** To a process: it was continued. */
    static final String WAKE = "wake";

    /** To a process: leave the waiting run to another process. */
    static final String LEAVE = "leave";

    static final String BROKE = "broke";

    private static final String END = "\t.";

    Line {
        parts = List.copyOf(parts);
    }

    static Line of(String word, Object... parts) {
        return new Line(word, Arrays.stream(parts).map(String::valueOf).toList());
    }

    String text() {
        return word + "\t" + String.join("\t", parts) + END + "\n";
    }

    /** Return whether a line was written to its end. */
    static boolean isWhole(String text) {
        return text.endsWith(END);
    }

    static Line parse(String text) {
        List<String> all =
                List.of(text.substring(0, text.length() - END.length()).split("\t", -1));
        return new Line(all.getFirst(), all.subList(1, all.size()));
    }

    String part(int index) {
        return parts.get(index);
    }
}
