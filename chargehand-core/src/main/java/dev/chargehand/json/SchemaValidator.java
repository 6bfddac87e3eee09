package dev.chargehand.json;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import com.networknt.schema.dialect.DefaultDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AnnotationKeyword;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import dev.chargehand.internal.text.BoundedText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds values against one schema; the one place that knows the validator, so that this is loaded when it is needed.
 * Thread-safe.
 */
final class SchemaValidator {

    /** The least steps a validation may make, each the check of one value against one part of the schema. */
    private static final long FREE_STEPS = 100_000;

    private static final long STEPS_PER_CHARACTER = 20;
    private static final int DEEPEST = 2_000;

    /** The validator's own dialects log each word that they do not know, and keep it for good; schemas of callers have such words. */
    private static final List<Dialect> QUIET = Stream.of(
                    Dialects.getDraft4(),
                    Dialects.getDraft6(),
                    Dialects.getDraft7(),
                    Dialects.getDraft201909(),
                    Dialects.getDraft202012())
            .map(dialect -> Dialect.builder(dialect)
                    .unknownKeywordFactory((word, context) -> new AnnotationKeyword(word))
                    .build())
            .toList();

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, registry -> registry.dialectRegistry(new DefaultDialectRegistry(QUIET))
                    .schemaLoader(
                            loader -> loader.allow(address -> SchemaReferences.isOfTheStandard(address.toString())))
                    .schemaRegistryConfig(SchemaRegistryConfig.builder()
                            .regularExpressionFactory(SchemaValidator::bounded)
                            .build()));

    /** How the versions of the standard are named in a schema that says of which it is. */
    private static final List<String> DIALECTS = Arrays.stream(SpecificationVersion.values())
            .map(SpecificationVersion::getDialectId)
            .toList();

    private static final int MOST_SENTENCES = 50;

    private final Json json;
    private volatile @Nullable Schema schema;

    SchemaValidator(Json json) {
        this.json = json;
    }

    /** Return what is wrong with the schema itself; see {@link JsonSchema#mistakes}. */
    static List<String> mistakes(Json json) {
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
            mistakes = SchemaReferences.leadingOut(json.tree()).stream()
                    .map(SchemaValidator::leadsOut)
                    .toList();
        }
        if (!mistakes.isEmpty()) {
            return mistakes;
        }
        try {
            REGISTRY.getSchema(json.tree()).initializeValidators();
            return List.of();
        } catch (SchemaException e) {
            return List.of(mistake(e));
        }
    }

    /** Return whether a regular expression is one in the form in which the validator reads it. */
    static boolean isPattern(String regex) {
        try {
            var ignored = bounded(regex);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
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

    private static String leadsOut(String reference) {
        return "Reference " + reference + " leads out of the schema, and nothing else is read";
    }

    /** Return what is wrong with a value; see {@link JsonSchema#violations}. */
    List<String> violations(Json value) {
        try {
            return sentences(schema(), value);
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

    private Schema schema() {
        Schema ready = schema;
        if (ready == null) {
            ready = REGISTRY.getSchema(json.tree());
            schema = ready;
        }
        return ready;
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
                .map(SchemaValidator::sentence)
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
}
