package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.ObjectResult;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the object of a result as a Java type, and reports what keeps it from being one. Used by one thread. */
final class ResultObject {

    private final RunResult result;

    ResultObject(RunResult result) {
        this.result = result;
    }

    /** Read it; a type with other required components than the object has is an error, not a value with nulls. */
    <T> T as(JsonType<T> type) {
        Json object = result.object().orElseThrow(() -> missing(type));
        requireComponents(object, type);
        try {
            return object.as(type);
        } catch (InvalidJsonException e) {
            String why = type.obstacle().map(obstacle -> obstacle + ".").orElseGet(e::getMessage);
            throw new InvalidJsonException(subject() + " cannot be read as " + shortName(type) + ": " + why, e);
        }
    }

    private void requireComponents(Json object, JsonType<?> type) {
        JsonSchema wanted = schemaOf(type);
        if (wanted == null || result.objectSchema().filter(wanted::equals).isPresent()) {
            return;
        }
        List<String> missing = wanted.missingProperties(object);
        if (!missing.isEmpty()) {
            String made = result.objectSchema()
                    .map(schema -> " The run was made with a structured output " + described(schema) + ".")
                    .orElse("");
            throw new InvalidJsonException(
                    subject() + " is no " + shortName(type) + ": it lacks " + String.join(", ", missing) + "." + made
                            + " Pass the type that the run was made with, or make these components @Nullable or Optional.",
                    null);
        }
    }

    private static @Nullable JsonSchema schemaOf(JsonType<?> type) {
        try {
            return JsonSchema.of(type);
        } catch (ConfigurationException e) {
            return null; // the JSON library may read it
        }
    }

    private static String described(JsonSchema schema) {
        List<String> names = schema.json()
                .at("/properties")
                .map(properties -> List.copyOf(properties.fields().keySet()))
                .orElse(List.of());
        return names.isEmpty() ? "of another schema" : "that has the properties " + String.join(", ", names);
    }

    private InvalidOutputException missing(JsonType<?> type) {
        String start = subject() + " is missing: ";
        Optional<String> problem = result.structured().map(ObjectResult::problem);
        if (problem.isPresent()) {
            return new InvalidOutputException(start + "its answer does not fit: " + problem.get());
        }
        boolean requested =
                result.objectSchema().isPresent() || result.workflowState().isPresent();
        return new InvalidOutputException(start
                + (requested
                        ? "the run ended as " + result.stopReason().code() + "."
                        : "the run was made without the option 'structuredOutput'. Set it, such as generate(input, o ->"
                                + " o.structuredOutput(" + shortName(type) + ".class))."));
    }

    private String subject() {
        return "Run " + result.runId() + " of agent '" + result.path() + "': its object";
    }

    private static String shortName(JsonType<?> type) {
        return type.type() instanceof Class<?> plain ? plain.getSimpleName() : type.toString();
    }
}
