package dev.chargehand.tool;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a tool: the schema that the model receives, and how they are read.
 *
 * @param tool the name of the tool
 * @param schema allows objects
 * @param reader throws {@link InvalidJsonException} for a value that does not fit
 */
record ToolInput<I>(String tool, JsonSchema schema, Function<Json, I> reader) {

    static <I> ToolInput<I> of(String tool, @Nullable Class<I> type) {
        Class<I> given = given(tool, "input", type);
        JsonSchema schema = readable(tool, "input", given);
        if (!schema.allowsObjects()) {
            throw noObject(
                    tool,
                    given.getSimpleName(),
                    "use a record with a component for it: record Input(" + given.getSimpleName() + " value) {}");
        }
        return new ToolInput<>(tool, schema, json -> json.as(given));
    }

    static ToolInput<Json> of(String tool, @Nullable JsonSchema schema) {
        JsonSchema given = usable(tool, "input", given(tool, "input", schema));
        if (!given.allowsObjects()) {
            throw noObject(tool, "this schema", "give it \"type\": \"object\", with the arguments in \"properties\"");
        }
        return new ToolInput<>(tool, given, Function.identity());
    }

    /** Return the schema of a type that JSON can be read as. */
    static JsonSchema readable(String tool, String what, @Nullable Class<?> type) {
        return JsonSchema.ofReadable("Tool '" + tool + "': " + what, JsonType.of(given(tool, what, type)));
    }

    /** Return a schema without mistakes of its keywords: a model's provider would reject it, or the validator ignore them. */
    static JsonSchema usable(String tool, String what, JsonSchema schema) {
        List<String> mistakes = schema.keywordMistakes();
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException("Tool '" + tool + "': the schema of its " + what + " has a mistake at "
                    + String.join("; at ", mistakes) + ".");
        }
        return schema;
    }

    private static <T> T given(String tool, String what, @Nullable T value) {
        if (value == null) {
            throw new ConfigurationException("Tool '" + tool + "': " + what + " must not be null.");
        }
        return value;
    }

    private static ConfigurationException noObject(String tool, String what, String remedy) {
        return new ConfigurationException("Tool '" + tool + "': the arguments of a tool are a JSON object, which "
                + what + " is not; " + remedy + ".");
    }

    /**
     * Return the arguments for the application's own predicate.
     *
     * @throws InvalidJsonException if they do not fit
     */
    I convert(Json arguments) {
        return reader.apply(arguments);
    }

    /**
     * Return the arguments for the handler.
     *
     * @throws ToolFailureException if they do not fit, with a message for the model
     */
    I read(Json arguments) {
        try {
            return reader.apply(arguments);
        } catch (InvalidJsonException e) {
            throw new ToolFailureException("The arguments of '" + tool + "' are not valid: " + forModel(e), e);
        }
    }

    /** A constructor of the input states its reason to the model by throwing a {@link ToolFailureException}. */
    private static String forModel(InvalidJsonException e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ToolFailureException failure) {
                return failure.getMessage();
            }
        }
        return e.getMessage();
    }
}
