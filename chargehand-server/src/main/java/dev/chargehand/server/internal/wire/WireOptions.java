package dev.chargehand.server.internal.wire;

import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.server.internal.route.HttpWords;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Options of runs that several wires read from their requests. */
public final class WireOptions {

    private WireOptions() {}

    /** Return the structured output of an object with the field {@code schema}. */
    public static StructuredOutput structured(Body format) {
        try {
            JsonSchema schema =
                    JsonSchema.of(format.json("schema").orElseThrow(() -> format.problem("schema", "is missing")));
            schema.mistakes().stream().findFirst().ifPresent(mistake -> {
                throw format.problem("schema", "must be a JSON Schema: " + mistake);
            });
            return StructuredOutput.of(schema);
        } catch (ConfigurationException e) {
            throw format.problem("schema", "must be a JSON Schema. " + HttpWords.of(e));
        }
    }

    /** Return options with which each answer of the model has at most so many tokens, and not more than without them. */
    public static Consumer<RunOptions.Builder> tokens(int most) {
        return options -> options.modelSettings(settings -> {
            Integer before = settings.maxOutputTokens();
            return settings.maxOutputTokens(before == null ? most : Math.min(before, most));
        });
    }

    /**
     * Return those values that callers may set.
     *
     * @param values a JSON object; nothing is read of other JSON
     * @param allowed the names of these values
     */
    public static RequestContext context(Optional<Json> values, Set<String> allowed) {
        RequestContext context = RequestContext.empty();
        for (Map.Entry<String, Json> value :
                values.map(Json::fields).orElse(Map.of()).entrySet()) {
            if (allowed.contains(value.getKey())) {
                context = context.with(RequestContext.Key.of(value.getKey(), Json.class), value.getValue());
            }
        }
        return context;
    }

    /**
     * Return the values of the field {@code requestContext}.
     *
     * @param allowed the names of those that callers may set; others are a problem
     */
    public static RequestContext requestContext(Body body, Set<String> allowed) {
        Optional<Body> values = body.object("requestContext");
        if (!allowed.containsAll(values.map(Body::names).orElse(List.of()))) {
            throw body.problem("requestContext", "has a value that callers may not set");
        }
        return context(body.json("requestContext"), allowed);
    }

    /**
     * Return the text of a message whose field is a text, or a list of parts that are texts.
     *
     * @param types the types of parts that are texts
     */
    public static String text(Body message, String field, Set<String> types) {
        return text(message, field, types, types.stream().sorted().toList());
    }

    /**
     * Return the text of a message whose field is a text, or a list of parts that are texts.
     *
     * @param types the types of parts that are texts
     * @param named those of them that the protocol has at this place, which a problem names
     */
    public static String text(Body message, String field, Set<String> types, List<String> named) {
        if (message.json(field).flatMap(Json::string).isPresent()) {
            return message.text(field).orElseThrow();
        }
        StringBuilder text = new StringBuilder();
        for (Body part : message.objects(field)) {
            if (!types.contains(part.text("type").orElse(""))) {
                throw part.problem(
                        "type", "must be '" + String.join("' or '", named) + "': other parts are not offered");
            }
            text.append(part.text("text").or(() -> part.text("refusal")).orElse(""));
        }
        return text.toString();
    }
}
