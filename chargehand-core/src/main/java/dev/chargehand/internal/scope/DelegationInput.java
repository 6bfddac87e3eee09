package dev.chargehand.internal.scope;

import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Makes the schema of what a model writes to delegate to an agent. */
final class DelegationInput {

    private static final int WITH_INSTRUCTIONS = 1;
    private static final int WITH_MAX_STEPS = 2;
    private static final int WITH_REFERENCES = 4;

    /** One for each combination, made once, since the validator of a schema is costly to build. */
    private static final List<JsonSchema> UNTYPED =
            IntStream.range(0, 8).mapToObj(DelegationInput::untyped).toList();

    private DelegationInput() {}

    static JsonSchema of(AgentDefinition.DelegationTerms terms, boolean references) {
        JsonSchema typed = terms.input();
        if (typed != null) {
            return references || terms.acceptsMaxSteps() ? extended(typed, terms.acceptsMaxSteps(), references) : typed;
        }
        return UNTYPED.get((terms.acceptsInstructions() ? WITH_INSTRUCTIONS : 0)
                + (terms.acceptsMaxSteps() ? WITH_MAX_STEPS : 0)
                + (references ? WITH_REFERENCES : 0));
    }

    private static JsonSchema untyped(int options) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(DelegationPrompts.PROMPT, text("The complete task for the agent."));
        if ((options & WITH_INSTRUCTIONS) != 0) {
            properties.put(DelegationPrompts.INSTRUCTIONS, text("Instructions on how to do the task."));
        }
        addTo(properties, (options & WITH_MAX_STEPS) != 0, (options & WITH_REFERENCES) != 0);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.of(DelegationPrompts.PROMPT));
        return JsonSchema.of(Json.of(schema));
    }

    private static JsonSchema extended(JsonSchema typed, boolean maxSteps, boolean references) {
        Map<String, Object> schema = new LinkedHashMap<>(typed.json().fields());
        Map<String, Object> properties = new LinkedHashMap<>(
                typed.json().at("/properties").map(Json::fields).orElse(Map.of()));
        addTo(properties, maxSteps, references);
        schema.put("properties", properties);
        return JsonSchema.of(Json.of(schema));
    }

    private static void addTo(Map<String, Object> properties, boolean maxSteps, boolean references) {
        if (maxSteps) {
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
        if (references) {
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
