package dev.chargehand.json;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON Schema (draft 2020-12) that is shown to models and checks what they send.
 *
 * <p>Immutable and thread-safe. The validator is built on first use.
 */
public final class JsonSchema {

    private final Json json;
    private final @Nullable JsonType<?> type;
    private volatile @Nullable ObviousValues obvious;
    private volatile @Nullable SchemaValidator validator;

    private JsonSchema(Json json, @Nullable JsonType<?> type) {
        this.json = json;
        this.type = type;
    }

    /**
     * Make the schema of a Java type.
     *
     * <p>A record component is required unless it is {@code @Nullable} or an {@code Optional}, which may be missing or
     * null; {@link Description} becomes the description; enums, dates, nested records, lists and sealed types with Jackson's type names are
     * understood. With {@code jsonschema-module-jakarta-validation} and Jakarta Validation on the class path, bounds,
     * lengths, patterns and formats of its annotations are in the schema too.
     *
     * @throws ConfigurationException if no schema can be built from the type
     */
    public static JsonSchema of(Class<?> type) {
        return of((Type) type);
    }

    /**
     * Make the schema of a Java type with type arguments; see {@link #of(Class)}.
     *
     * @throws ConfigurationException if no schema can be built from the type
     */
    public static JsonSchema of(JsonType<?> type) {
        return of(type.type());
    }

    /**
     * Make the schema of a Java type that JSON values are read as; see {@link #of(Class)}.
     *
     * @param what starts the error, such as {@code Tool 'pay': output}
     * @throws ConfigurationException if no schema can be built from the type, or no JSON value can be read as it; see {@link
     *     JsonType#obstacle}
     */
    public static JsonSchema ofReadable(String what, JsonType<?> type) {
        Optional<String> obstacle = type.obstacle();
        if (obstacle.isPresent()) {
            throw new ConfigurationException(what + " " + obstacle.get() + ".");
        }
        return new JsonSchema(of(type).json, type);
    }

    private static JsonSchema of(Type type) {
        return written(
                Objects.requireNonNull(type, "The type of a JSON Schema must not be null.")
                        .getTypeName(),
                () -> PlainTypes.schemaOf(type).orElseGet(() -> SchemaWriter.schemaOf(type)));
    }

    /**
     * Make the schema of an object that has a property for each parameter of a method, by the rules of {@link
     * #of(Class)}: a parameter is required unless it is {@code @Nullable} or an {@code Optional}.
     *
     * @param parameters of one method, with the names that the compiler option {@code -parameters} keeps
     * @throws ConfigurationException if no schema can be built from a parameter
     */
    public static JsonSchema ofParameters(List<Parameter> parameters) {
        return written("the parameters " + parameters, () -> SchemaWriter.schemaOf(parameters));
    }

    private static JsonSchema written(String what, Supplier<ObjectNode> writer) {
        try {
            return new JsonSchema(Json.ofTree(writer.get()), null);
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    "No JSON Schema can be generated for " + what
                            + "; use a record of plain values, or give the schema itself.",
                    e);
        }
    }

    /**
     * Take a schema as it is.
     *
     * @throws ConfigurationException if it is not a JSON object
     */
    public static JsonSchema of(Json schema) {
        if (!Objects.requireNonNull(schema, "A JSON Schema must not be null.").isObject()) {
            throw new ConfigurationException("A JSON Schema must be a JSON object, but this is: " + schema);
        }
        return new JsonSchema(schema, null);
    }

    /** Return the schema as JSON. */
    public Json json() {
        return json;
    }

    /**
     * Return the Java type that valid values are read as, which is that of {@link #ofReadable}; nothing for every other schema. It is not
     * stored, so a schema that comes from a store has none, and schemas with and without one are equal.
     */
    public Optional<JsonType<?>> type() {
        return Optional.ofNullable(type);
    }

    /** Return whether an object may fit the schema: a model's arguments of a call always are one. */
    public boolean allowsObjects() {
        return ObjectSchemas.allowObjects(json.tree());
    }

    /**
     * Return what is wrong with the schema itself, one readable sentence each, with its place; empty if it can be used.
     * For schemas that people write: it takes longer than to check a value.
     */
    public List<String> mistakes() {
        List<String> keywords = keywordMistakes();
        return keywords.isEmpty() ? SchemaValidator.mistakes(json) : keywords;
    }

    /**
     * Return the mistakes of the schema's keywords that no version of the standard allows, such as {@code "type": "strin"}, {@code
     * "required": "town"} or a {@code $ref} to what is not in it: a readable sentence for each, with its place as a JSON Pointer, its value
     * and what is allowed. It is the part of {@link #mistakes} that takes no time.
     */
    public List<String> keywordMistakes() {
        return SchemaKeywords.mistakes(json.tree());
    }

    /**
     * Return the references that lead out of the schema, as they are written. A schema is read by itself: no file,
     * resource or address is opened for it, so one that has such references cannot be used.
     */
    public List<String> foreignReferences() {
        return SchemaReferences.leadingOut(json.tree());
    }

    /**
     * Return what is wrong with a value, one readable sentence each, with its place; empty if it is valid. They are at
     * most so many and so long that a person or a model can read them: if there are more, the last one states it.
     *
     * <p>The cost is bounded: a value that the schema cannot be held against within a number of steps that grows with
     * the value's length, because of a regular expression or of references that lead round, is a violation.
     */
    public List<String> violations(Json value) {
        return isObviouslyValid(value) ? List.of() : validator().violations(value);
    }

    /**
     * Return the properties that the schema requires and a value lacks, or has as null where null is not allowed, as JSON Pointers; in
     * nested objects too, but not in alternatives such as {@code anyOf}.
     */
    public List<String> missingProperties(Json value) {
        return ObjectSchemas.MissingProperties.of(json.tree(), value.tree());
    }

    private boolean isObviouslyValid(Json value) {
        ObviousValues ready = obvious;
        if (ready == null) {
            ready = ObviousValues.of(json.tree());
            obvious = ready;
        }
        try {
            return ready.contain(value.tree());
        } catch (InvalidJsonException e) {
            return false; // the validator says why
        }
    }

    /**
     * Read a value that must be valid.
     *
     * @throws InvalidJsonException if it breaks the schema, naming every violation
     */
    public <T> T read(Json value, Class<T> type) {
        List<String> violations = violations(value);
        if (!violations.isEmpty()) {
            throw new InvalidJsonException("Breaks the schema: " + String.join("; ", violations), null);
        }
        return value.as(type);
    }

    private SchemaValidator validator() {
        SchemaValidator ready = validator;
        if (ready == null) {
            ready = new SchemaValidator(json);
            validator = ready;
        }
        return ready;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonSchema schema && schema.json.equals(json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.text();
    }
}
