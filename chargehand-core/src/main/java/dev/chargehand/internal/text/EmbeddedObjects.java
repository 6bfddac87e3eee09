package dev.chargehand.internal.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds the JSON objects that are in a text that a model wrote, in a Markdown fence or between words. */
public final class EmbeddedObjects {

    /** How much is read again where braces stand that nothing closes. */
    private static final long FREE_STEPS = 1_000_000;

    private static final long STEPS_PER_CHARACTER = 10;

    private EmbeddedObjects() {}

    /**
     * Return the objects that are in a text, none inside another: the whole of it, or some between words.
     *
     * @param read reads a text that is exactly one object, and nothing else
     */
    public static <T> List<T> in(String text, Function<String, Optional<T>> read) {
        Optional<T> whole = read.apply(withoutFence(text));
        if (whole.isPresent()) {
            return List.of(whole.get());
        }
        List<T> objects = new ArrayList<>();
        long steps = FREE_STEPS + STEPS_PER_CHARACTER * text.length();
        int at = text.indexOf('{');
        while (at >= 0 && steps > 0) {
            int end = endOfObject(text, at);
            steps -= (end < 0 ? text.length() : end) - at;
            Optional<T> found = end < 0 ? Optional.empty() : read.apply(text.substring(at, end));
            found.ifPresent(objects::add);
            at = text.indexOf('{', found.isPresent() ? end : at + 1);
        }
        return objects;
    }

    /** Return a text without the Markdown fence around it: models like to put JSON into one. */
    public static String withoutFence(String text) {
        String stripped = text.strip();
        if (!stripped.startsWith("```") || !stripped.endsWith("```") || !stripped.contains("\n")) {
            return stripped;
        }
        return stripped.substring(stripped.indexOf('\n') + 1, stripped.length() - 3)
                .strip();
    }

    /** Return where the brace that closes the one at a place ends, or -1. */
    private static int endOfObject(String text, int from) {
        int depth = 0;
        boolean inString = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (inString) {
                if (c == '\\') {
                    i++;
                } else if (c == '"') {
                    inString = false;
                }
            } else if (c == '"') {
                inString = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && --depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }
}
