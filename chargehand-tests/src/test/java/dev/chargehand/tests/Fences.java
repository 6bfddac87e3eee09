package dev.chargehand.tests;

import java.util.regex.Pattern;

/** Removes the fences around the words of sub-agents, for tests that are about something else. */
public final class Fences {

    private static final Pattern FENCE =
            Pattern.compile("<((result|error)-[0-9a-f]{16}) of=\"agent [^\"]*\">\\n(.*?)\\n</\\1>", Pattern.DOTALL);

    private Fences() {}

    /** Returns what a model received, without fences. */
    public static String without(String text) {
        return FENCE.matcher(text).replaceAll("$3");
    }
}
