package dev.chargehand.internal.state.value;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.PrimitiveType;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * What the router of a network decided for one step. The text of its answer contains it, so that it needs no fact of
 * its own.
 *
 * @param primitiveId the key of a sub-agent or the name of a tool
 * @param primitiveType agent, tool or none
 * @param prompt what the primitive is to do; the answer, if the type is none
 * @param selectionReason why
 */
public record RoutingDecision(String primitiveId, PrimitiveType primitiveType, String prompt, String selectionReason) {

    /** What the router's answer must fit. */
    public static final JsonSchema SCHEMA = JsonSchema.of(Json.of(schema()));

    private static final String ID = "primitiveId";
    private static final String TYPE = "primitiveType";
    private static final String PROMPT = "prompt";
    private static final String REASON = "selectionReason";

    private static Map<String, Object> schema() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(ID, Map.of("type", "string"));
        properties.put(TYPE, Map.of("type", "string", "enum", List.of("agent", "workflow", "tool", "none")));
        properties.put(PROMPT, Map.of("type", "string"));
        properties.put(REASON, Map.of("type", "string"));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.copyOf(properties.keySet()));
        return schema;
    }

    /** Read a decision that fits {@link #SCHEMA}. */
    public static RoutingDecision read(Json json) {
        return new RoutingDecision(
                text(json, ID),
                PrimitiveType.valueOf(text(json, TYPE).toUpperCase(Locale.ROOT)),
                text(json, PROMPT),
                text(json, REASON));
    }

    /**
     * Read a decision that was stored.
     *
     * @throws StoreException {@code UNREADABLE} if it is damaged
     */
    public static RoutingDecision stored(String text) {
        try {
            return read(Json.parse(text));
        } catch (InvalidJsonException | NoSuchElementException | IllegalArgumentException e) {
            throw new StoreException(StoreException.Kind.UNREADABLE, "The stored decision of a router is damaged.", e);
        }
    }

    private static String text(Json json, String field) {
        return json.at("/" + field).flatMap(Json::string).orElseThrow();
    }

    /** Write it as the router does. */
    public Json toJson() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(ID, primitiveId);
        fields.put(TYPE, primitiveType.name().toLowerCase(Locale.ROOT));
        fields.put(PROMPT, prompt);
        fields.put(REASON, selectionReason);
        return Json.of(fields);
    }

    /** Return this decision with another prompt. */
    public RoutingDecision withPrompt(String other) {
        return new RoutingDecision(primitiveId, primitiveType, other, selectionReason);
    }

    /** Return whether it chooses nothing, and is the router's own answer. */
    public boolean isAnswer() {
        return primitiveType == PrimitiveType.NONE;
    }
}
