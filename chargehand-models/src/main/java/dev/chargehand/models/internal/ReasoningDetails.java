package dev.chargehand.models.internal;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reasoning of an answer as OpenRouter wants it back: blocks of text, summaries, and data that only the service
 * behind it can read. Not thread-safe; one per answer.
 */
final class ReasoningDetails {

    private static final String MARK = "openrouter";
    private static final JsonType<List<Map<String, Object>>> BLOCKS = new JsonType<>() {};

    /** The field that arrives in pieces, by the type of its block; other blocks arrive whole. */
    private static final Map<String, String> PIECES = Map.of("reasoning.text", "text", "reasoning.summary", "summary");

    private final List<Map<String, Object>> blocks = new ArrayList<>();

    /** Add the blocks, or pieces of blocks, of one event; nothing if they are none. */
    void add(String json) {
        try {
            Json.parse(json).as(BLOCKS).forEach(this::add);
        } catch (InvalidJsonException e) {
            // They are not of this form.
        }
    }

    private void add(Map<String, Object> piece) {
        Map<String, Object> last = blocks.isEmpty() ? Map.of() : blocks.getLast();
        String field = PIECES.get(String.valueOf(piece.get("type")));
        if (field == null || !isSame(last, piece)) {
            blocks.add(new LinkedHashMap<>(piece));
            return;
        }
        piece.forEach((name, value) -> {
            if (value != null) {
                boolean grows = name.equals(field) && last.get(name) instanceof String;
                last.put(name, grows ? last.get(name) + String.valueOf(value) : value);
            }
        });
    }

    private static boolean isSame(Map<String, Object> last, Map<String, Object> piece) {
        Object index = piece.get("index");
        Object id = piece.get("id");
        return index != null
                && index.equals(last.get("index"))
                && Objects.equals(piece.get("type"), last.get("type"))
                && (id == null || last.get("id") == null || id.equals(last.get("id")));
    }

    /** Return what is to be kept with the answer of a model; null if nothing. */
    @Nullable
    String state(String model) {
        return blocks.isEmpty()
                ? null
                : Json.of(Map.of(MARK, Map.of("model", model, "details", blocks)))
                        .canonical()
                        .text();
    }

    /** Return the blocks that were kept with an earlier answer of a model, as JSON; null if there are none. */
    static @Nullable String of(String state, String model) {
        try {
            Json kept = Json.parse(state);
            return kept.at("/" + MARK + "/model")
                    .flatMap(Json::string)
                    .filter(model::equals)
                    .flatMap(same -> kept.at("/" + MARK + "/details"))
                    .map(Json::text)
                    .orElse(null);
        } catch (InvalidJsonException e) {
            return null;
        }
    }
}
