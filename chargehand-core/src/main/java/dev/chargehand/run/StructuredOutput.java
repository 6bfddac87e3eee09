package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The required form of a run's answer: JSON that fits a schema. Stored with the run.
 *
 * <p>Immutable and thread-safe. Generating a schema from a type takes time: reuse this object for many runs.
 *
 * @param schema what the answer must fit
 * @param onInvalid how a run is handled whose answer does not fit after one correction; default strict
 * @param fallback the object in place of such an answer; null unless {@code onInvalid} is {@link OnInvalid#FALLBACK}
 * @param structuringModels the names of the models that make the object of the run's text, the first choice and its
 *     fallbacks; empty, which is the default, if the agent's own model writes it
 */
public record StructuredOutput(
        JsonSchema schema, OnInvalid onInvalid, @Nullable Json fallback, List<String> structuringModels) {

    /** The handling of a run whose answer does not fit. */
    public enum OnInvalid {
        /** It fails, with {@code invalid-output}. */
        STRICT,
        /** It ends as it would have ended, without an object; a warning is logged and emitted. */
        WARN,
        /** It ends as it would have ended, with the fallback value as its object. */
        FALLBACK
    }

    public StructuredOutput {
        Objects.requireNonNull(schema, "schema");
        Objects.requireNonNull(onInvalid, "onInvalid");
        structuringModels = List.copyOf(structuringModels);
        if (onInvalid == OnInvalid.FALLBACK) {
            fallback = fallback == null ? Json.of(null) : fallback; // as JSON's null is read back
        } else if (fallback != null) {
            throw new ConfigurationException("Only structured output with OnInvalid.FALLBACK has a fallback value.");
        }
    }

    /**
     * Make structured output of a Java type, such as a record; strict.
     *
     * @throws ConfigurationException if no schema can be built from the type, or no JSON value can be read as it
     */
    public static StructuredOutput of(Class<?> type) {
        return of(JsonType.of(type));
    }

    /**
     * Make structured output of a Java type with type arguments; strict.
     *
     * @throws ConfigurationException if no schema can be built from the type, or no JSON value can be read as it
     */
    public static StructuredOutput of(JsonType<?> type) {
        return of(JsonSchema.ofReadable("Structured output of " + type + ":", type));
    }

    /**
     * Make structured output of a schema; strict.
     *
     * @throws ConfigurationException if the schema refers to what is not in it, or has a mistake; see {@link JsonSchema#keywordMistakes}
     */
    public static StructuredOutput of(JsonSchema schema) {
        List<String> mistakes = schema.keywordMistakes();
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException(
                    "The schema of a structured output has a mistake at " + String.join("; at ", mistakes) + ".");
        }
        List<String> foreign = schema.foreignReferences();
        if (!foreign.isEmpty()) {
            throw new ConfigurationException("The schema of a structured output refers to " + String.join(", ", foreign)
                    + ", which is not in it; nothing else is read. Put what it refers to under $defs.");
        }
        return new StructuredOutput(schema, OnInvalid.STRICT, null, List.of());
    }

    /** Return this, with runs that fail if their answer does not fit. */
    @CheckReturnValue
    public StructuredOutput strict() {
        return new StructuredOutput(schema, OnInvalid.STRICT, null, structuringModels);
    }

    /** Return this, with runs that end without an object, and a warning, if their answer does not fit. */
    @CheckReturnValue
    public StructuredOutput warn() {
        return new StructuredOutput(schema, OnInvalid.WARN, null, structuringModels);
    }

    /**
     * Return this, with runs that have a value for their object if their answer does not fit.
     *
     * @param value anything that has a JSON form
     * @throws ConfigurationException if the value itself does not fit the schema
     */
    @CheckReturnValue
    public StructuredOutput fallback(@Nullable Object value) {
        Json json = Json.of(value);
        List<String> violations = schema.violations(json);
        if (!violations.isEmpty()) {
            throw new ConfigurationException(
                    "The fallback of a structured output must fit its schema, but it breaks it: "
                            + String.join("; ", violations) + ".");
        }
        return new StructuredOutput(schema, OnInvalid.FALLBACK, json, structuringModels);
    }

    /**
     * Return this, with models that make the object of the text that the agent's own model wrote; by name, since they
     * are stored with the run.
     *
     * @param names such as {@code openai/gpt-5-mini}, the first choice first
     */
    @CheckReturnValue
    public StructuredOutput structuredBy(String... names) {
        return new StructuredOutput(schema, onInvalid, fallback, List.of(names));
    }
}
