package dev.chargehand.json;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.text.BoundedText;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON Schema (draft 2020-12) that is shown to models and checks what they send.
 *
 * <p>Immutable and thread-safe. The validator is built on first use.
 */
public final class JsonSchema {

    /** The least steps a validation may make, each the check of one value against one part of the schema. */
    private static final long FREE_STEPS = 100_000;

    private static final long STEPS_PER_CHARACTER = 20;
    private static final int DEEPEST = 2_000;

    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12, registry -> registry.schemaLoader(
                            loader -> loader.allow(address -> SchemaReferences.isOfTheStandard(address.toString())))
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .regularExpressionFactory(JsonSchema::bounded)
                            .build()));

    /** How the versions of the standard are named in a schema that says of which it is. */
    private static final List<String> DIALECTS = Arrays.stream(SpecificationVersion.values())
            .map(SpecificationVersion::getDialectId)
            .toList();

    private static final int MOST_SENTENCES = 50;

    private final Json json;
    private volatile @Nullable Schema validator;

    private JsonSchema(Json json) {
        this.json = json;
    }

    /**
     * Make the schema of a Java type.
     *
     * <p>A record component is required unless it is {@code @Nullable} or an {@code Optional}; {@link Description}
     * becomes the description; enums, dates, nested records, lists and sealed types with Jackson's type names are
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

    private static JsonSchema of(Type type) {
        return written(type.getTypeName(), () -> SchemaWriter.schemaOf(type));
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
            return new JsonSchema(Json.ofTree(writer.get()));
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
        if (!schema.isObject()) {
            throw new ConfigurationException("A JSON Schema must be a JSON object, but this is: " + schema);
        }
        return new JsonSchema(schema);
    }

    /** Return the schema as JSON. */
    public Json json() {
        return json;
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
        String dialect =
                json.at("/$schema").flatMap(Json::string).orElse(SpecificationVersion.DRAFT_2020_12.getDialectId());
        Optional<String> known = DIALECTS.stream()
                .filter(each -> withoutHash(each).equals(withoutHash(dialect)))
                .findFirst();
        if (known.isEmpty()) {
            return List.of("/$schema: must be one of " + String.join(", ", DIALECTS));
        }
        List<String> mistakes = sentences(REGISTRY.getSchema(SchemaLocation.of(known.get())), json);
        if (mistakes.isEmpty()) {
            mistakes = foreignReferences().stream().map(JsonSchema::leadsOut).toList();
        }
        if (!mistakes.isEmpty()) {
            return mistakes;
        }
        try {
            validator().initializeValidators();
            return List.of();
        } catch (SchemaException e) {
            return List.of(mistake(e));
        }
    }

    private static String withoutHash(String dialect) {
        return dialect.endsWith("#") ? dialect.substring(0, dialect.length() - 1) : dialect;
    }

    private static String mistake(SchemaException e) {
        if (e.getCause() instanceof PatternSyntaxException pattern) {
            return "'" + pattern.getPattern() + "' is not a regular expression: " + pattern.getDescription();
        }
        return String.valueOf(e.getMessage()).lines().collect(Collectors.joining(" "));
    }

    /**
     * Return the references that lead out of the schema, as they are written. A schema is read by itself: no file,
     * resource or address is opened for it, so one that has such references cannot be used.
     */
    public List<String> foreignReferences() {
        return SchemaReferences.leadingOut(json.tree());
    }

    private static String leadsOut(String reference) {
        return "Reference " + reference + " leads out of the schema, and nothing else is read";
    }

    /**
     * Return what is wrong with a value, one readable sentence each, with its place; empty if it is valid. They are at
     * most so many and so long that a person or a model can read them: if there are more, the last one states it.
     *
     * <p>The cost is bounded: a value that the schema cannot be held against within a number of steps that grows with
     * the value's length, because of a regular expression or of references that lead round, is a violation.
     */
    public List<String> violations(Json value) {
        try {
            return sentences(validator(), value);
        } catch (UndecidedException e) {
            return List.of("cannot be checked: " + e.getMessage());
        } catch (ValidationLimitExceededException | StackOverflowError e) {
            return List.of("cannot be checked: the schema takes too long on this value of "
                    + value.text().length() + " characters.");
        } catch (SchemaException e) {
            return List.of("cannot be checked, since the schema itself is not valid: " + mistake(e));
        } catch (RuntimeException e) {
            return List.of("cannot be checked: the validator failed with "
                    + e.getClass().getSimpleName() + ", as it does on a schema that is not valid.");
        }
    }

    /** Read a pattern as the standard does, as far as Java can. */
    private static RegularExpression bounded(String regex) {
        Pattern pattern = Pattern.compile(
                RegularExpressions.replaceLongformCharacterProperties(RegularExpressions.replaceDollarAnchors(regex)));
        return text -> {
            try {
                return BoundedText.isFound(pattern, text);
            } catch (BoundedText.TooCostlyException | CancellationException e) {
                throw new UndecidedException(e);
            }
        };
    }

    /** Unwinds a validation. An error, since the validator logs exceptions, together with the names in the value. */
    private static final class UndecidedException extends Error {
        private static final long serialVersionUID = 1L;

        private UndecidedException(RuntimeException why) {
            super(why.getMessage(), null, false, false);
        }
    }

    private static List<String> sentences(Schema schema, Json value) {
        long mostSteps = Math.max(FREE_STEPS, STEPS_PER_CHARACTER * value.text().length());
        List<com.networknt.schema.Error> errors = schema.validate(
                value.tree(),
                execution -> execution.executionConfig(
                        config -> config.maxEvaluationSteps(mostSteps).maxEvaluationDepth(DEEPEST)));
        List<String> sentences = errors.stream()
                .map(JsonSchema::sentence)
                .distinct()
                .limit(MOST_SENTENCES + 1)
                .toList();
        if (sentences.size() <= MOST_SENTENCES) {
            return sentences;
        }
        List<String> first = new ArrayList<>(sentences.subList(0, MOST_SENTENCES));
        first.add("and more, " + errors.size() + " in all");
        return List.copyOf(first);
    }

    private static String sentence(com.networknt.schema.Error error) {
        String place = error.getInstanceLocation().toString();
        return JsonMapping.cut((place.isEmpty() ? "" : place + ": ") + error.getMessage());
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

    private Schema validator() {
        Schema ready = validator;
        if (ready == null) {
            ready = REGISTRY.getSchema(json.tree());
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
