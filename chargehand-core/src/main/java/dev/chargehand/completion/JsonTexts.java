package dev.chargehand.completion;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.Score;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds JSON in what models write. */
final class JsonTexts {

    private static final int MOST_VIOLATIONS = 10;
    private static final int LONGEST_SCHEMA = 2_000;

    /** How much is read again where braces stand that nothing closes. */
    private static final long FREE_STEPS = 1_000_000;

    private static final long STEPS_PER_CHARACTER = 10;

    private JsonTexts() {}

    /** Scores a text that is to be JSON of a schema. */
    static Score fits(String text, JsonSchema schema) {
        List<String> violations;
        try {
            violations = schema.violations(Json.parse(withoutFence(text)));
        } catch (InvalidJsonException e) {
            return Score.fail("The answer is not JSON: " + e.getMessage() + " Answer with one JSON value and no other"
                    + " words" + shown(schema) + ".");
        }
        if (violations.isEmpty()) {
            return Score.pass();
        }
        int more = violations.size() - MOST_VIOLATIONS;
        return Score.fail("The answer breaks its JSON schema: "
                + String.join("; ", violations.subList(0, Math.min(MOST_VIOLATIONS, violations.size())))
                + (more > 0 ? "; and " + more + " more" : "") + ". Mend it" + shown(schema) + ".");
    }

    private static String shown(JsonSchema schema) {
        String text = schema.json().text();
        return text.length() > LONGEST_SCHEMA ? "" : ", by this schema: " + text;
    }

    /** Models like to put JSON into a Markdown fence. */
    static String withoutFence(String text) {
        String stripped = text.strip();
        if (!stripped.startsWith("```") || !stripped.endsWith("```") || !stripped.contains("\n")) {
            return stripped;
        }
        return stripped.substring(stripped.indexOf('\n') + 1, stripped.length() - 3);
    }

    /** Returns the JSON objects that stand in a text, none inside another: the whole of it, or some between words. */
    static List<Json> objects(String text) {
        Optional<Json> whole = object(withoutFence(text));
        if (whole.isPresent()) {
            return List.of(whole.get());
        }
        List<Json> objects = new ArrayList<>();
        long steps = FREE_STEPS + STEPS_PER_CHARACTER * text.length();
        int at = text.indexOf('{');
        while (at >= 0 && steps > 0) {
            int end = endOfObject(text, at);
            steps -= (end < 0 ? text.length() : end) - at;
            Optional<Json> found = end < 0 ? Optional.empty() : object(text.substring(at, end));
            found.ifPresent(objects::add);
            at = text.indexOf('{', found.isPresent() ? end : at + 1);
        }
        return objects;
    }

    private static Optional<Json> object(String text) {
        try {
            return Optional.of(Json.parse(text)).filter(Json::isObject);
        } catch (InvalidJsonException e) {
            return Optional.empty();
        }
    }

    /** Returns where the brace that closes the one at a place ends, or -1. */
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
