package dev.chargehand.json;

import dev.chargehand.internal.json.PlainJson;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Copies a JSON value token by token, so that numbers stay as they are written, and changes its texts. Used once. */
final class JsonRewriter {

    private final UnaryOperator<String> change;

    /** How often each key was written, for each object that is open. */
    private final Deque<Map<String, Integer>> keys = new ArrayDeque<>();

    private boolean changed;

    private JsonRewriter(UnaryOperator<String> change) {
        this.change = change;
    }

    /** Return the value with its texts changed, or the same if none was. */
    static Json rewritten(Json json, UnaryOperator<String> change) {
        JsonRewriter rewriter = new JsonRewriter(change);
        String text = rewriter.copy(json.text());
        return rewriter.changed ? Json.ofText(text) : json;
    }

    private String copy(String json) {
        StringWriter to = new StringWriter(json.length() + 16);
        try (JsonParser from = PlainJson.parser(json);
                JsonGenerator generator = PlainJson.generator(to)) {
            for (JsonToken token = from.nextToken(); token != null; token = from.nextToken()) {
                copy(token, from, generator);
            }
        }
        return to.toString();
    }

    private void copy(JsonToken token, JsonParser from, JsonGenerator to) {
        switch (token) {
            case START_OBJECT -> {
                keys.push(new HashMap<>());
                to.writeStartObject();
            }
            case END_OBJECT -> {
                keys.pop();
                to.writeEndObject();
            }
            case PROPERTY_NAME -> to.writeName(unique(changed(from.getString())));
            case VALUE_STRING -> to.writeString(changed(from.getString()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                String number = from.getString();
                String text = changed(number);
                if (text.equals(number)) {
                    to.writeNumber(number);
                } else {
                    to.writeString(text);
                }
            }
            default -> to.copyCurrentEvent(from);
        }
    }

    private String changed(String text) {
        String after = change.apply(text);
        changed |= !after.equals(text);
        return after;
    }

    /** Numbers keys that have become equal. */
    private String unique(String key) {
        Map<String, Integer> written = keys.element();
        String unique = key;
        while (written.containsKey(unique)) {
            unique = key + " (" + written.merge(key, 1, Integer::sum) + ")";
        }
        written.put(unique, 1);
        return unique;
    }
}
