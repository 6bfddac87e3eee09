package dev.chargehand.internal.scope;

import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes the schema of what a model writes to delegate to an agent. */
final class DelegationInput {

    private static final int WITH_INSTRUCTIONS = 1;
    private static final int WITH_MAX_STEPS = 2;
    private static final int WITH_REFERENCES = 4;
    private static final int IN_BACKGROUND = 8;

    /** One for each combination that is used, made once, since the validator of a schema is costly to build. */
    private static final Map<Integer, JsonSchema> UNTYPED = new ConcurrentHashMap<>();

    private DelegationInput() {}

    /**
     * Make the schema.
     *
     * @param references whether a delegation may name the results of earlier ones
     * @param background whether the model chooses if it is a background task
     */
    static JsonSchema of(AgentDefinition.DelegationTerms terms, boolean references, boolean background) {
        int options = (terms.acceptsMaxSteps() ? WITH_MAX_STEPS : 0)
                + (references ? WITH_REFERENCES : 0)
                + (background ? IN_BACKGROUND : 0);
        JsonSchema typed = terms.input();
        if (typed != null) {
            return options == 0 ? typed : extended(typed, options);
        }
        return UNTYPED.computeIfAbsent(
                options + (terms.acceptsInstructions() ? WITH_INSTRUCTIONS : 0), DelegationInput::untyped);
    }

    /** Return the schema of arguments that has the field by which a model chooses a background task. */
    static JsonSchema inBackground(JsonSchema arguments) {
        return extended(arguments, IN_BACKGROUND);
    }

    private static JsonSchema untyped(int options) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(DelegationPrompts.PROMPT, text("The complete task for the agent."));
        if ((options & WITH_INSTRUCTIONS) != 0) {
            properties.put(DelegationPrompts.INSTRUCTIONS, text("Instructions on how to do the task."));
        }
        addTo(properties, options);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.of(DelegationPrompts.PROMPT));
        return JsonSchema.of(Json.of(schema));
    }

    private static JsonSchema extended(JsonSchema typed, int options) {
        Map<String, Object> schema = new LinkedHashMap<>(typed.json().fields());
        Map<String, Object> properties = new LinkedHashMap<>(
                typed.json().at("/properties").map(Json::fields).orElse(Map.of()));
        addTo(properties, options);
        schema.put("properties", properties);
        return JsonSchema.of(Json.of(schema));
    }

    private static void addTo(Map<String, Object> properties, int options) {
        if ((options & IN_BACKGROUND) != 0) {
            properties.put(
                    DelegationPrompts.BACKGROUND,
                    Map.of(
                            "type",
                            "boolean",
                            "description",
                            "true: the work is done in the background, and the call returns at once with the id of a task;"
                                    + " the result arrives later as a message. Default: false, and the call returns"
                                    + " the result."));
        }
        if ((options & WITH_MAX_STEPS) != 0) {
            properties.put(
                    DelegationPrompts.MAX_STEPS,
                    Map.of(
                            "type",
                            "integer",
                            "minimum",
                            1,
                            "description",
                            "The maximum number of steps of the agent."));
        }
        if ((options & WITH_REFERENCES) != 0) {
            Map<String, Object> refs = new LinkedHashMap<>();
            refs.put("type", "array");
            refs.put("items", Map.of("type", "string"));
            refs.put(
                    "description",
                    "References of earlier results, such as researcher-1, whose texts the agent receives verbatim.");
            properties.put(DelegationPrompts.CONTEXT_FROM_REFS, refs);
            properties.put(
                    DelegationPrompts.CONTINUE_FROM,
                    text("The reference of an earlier result of the same agent, to continue that work."));
        }
    }

    private static Map<String, Object> text(String description) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "string");
        schema.put("description", description);
        return schema;
    }
}
