package dev.chargehand.json;

import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.CustomDefinitionProviderV2;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.MethodScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.generator.TypeContext;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import java.io.File;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON Schemas of Java types, the way Chargehand reads records. */
final class SchemaWriter {

    private static final boolean HAS_CONSTRAINTS = isPresent("jakarta.validation.Constraint")
            && isPresent("com.github.victools.jsonschema.module.jakarta.validation.JakartaValidationModule");

    private static final String TEXT = "string";

    /** What the JSON library reads and writes as a single value; from their fields the schema library makes objects of them. */
    private static final Map<Class<?>, List<String>> SINGLE_VALUES = Map.ofEntries(
            Map.entry(OptionalInt.class, List.of("integer", "null")),
            Map.entry(OptionalLong.class, List.of("integer", "null")),
            Map.entry(OptionalDouble.class, List.of("number", "null")),
            Map.entry(AtomicBoolean.class, List.of("boolean")),
            Map.entry(AtomicInteger.class, List.of("integer")),
            Map.entry(AtomicLong.class, List.of("integer")),
            Map.entry(byte.class, List.of("integer")),
            Map.entry(Byte.class, List.of("integer")),
            Map.entry(Year.class, List.of("integer")),
            Map.entry(byte[].class, List.of(TEXT)),
            Map.entry(char[].class, List.of(TEXT)),
            Map.entry(Charset.class, List.of(TEXT)),
            Map.entry(Class.class, List.of(TEXT)),
            Map.entry(Currency.class, List.of(TEXT)),
            Map.entry(File.class, List.of(TEXT)),
            Map.entry(Locale.class, List.of(TEXT)),
            Map.entry(MonthDay.class, List.of(TEXT)),
            Map.entry(Path.class, List.of(TEXT)),
            Map.entry(Pattern.class, List.of(TEXT)),
            Map.entry(StringBuilder.class, List.of(TEXT)),
            Map.entry(TimeZone.class, List.of(TEXT)),
            Map.entry(URL.class, List.of(TEXT)),
            Map.entry(YearMonth.class, List.of(TEXT)),
            Map.entry(ZoneOffset.class, List.of(TEXT)));

    /** A type that is sealed is one of its subtypes, also if no annotation lists them. */
    private static final CustomDefinitionProviderV2 SEALED = SchemaWriter::oneOfSubtypes;

    private static final SchemaGenerator GENERATOR = new SchemaGenerator(config().build());

    private SchemaWriter() {}

    static ObjectNode schemaOf(Type type) {
        return GENERATOR.generateSchema(type);
    }

    /** Return the schema of an object that has a property for each parameter. */
    static ObjectNode schemaOf(List<Parameter> parameters) {
        SchemaGeneratorConfigBuilder config = config();
        config.forTypesInGeneral().withCustomDefinitionProvider(new ParameterSchemas(parameters));
        return new SchemaGenerator(config.build()).generateSchema(ParameterSchemas.Arguments.class);
    }

    private static SchemaGeneratorConfigBuilder config() {
        var config = new SchemaGeneratorConfigBuilder(
                JsonMapping.mapper(), SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON);
        // the module below would name the sealed type itself
        config.forTypesInGeneral().withCustomDefinitionProvider(SEALED);
        config.with(new JacksonSchemaModule(JacksonOption.RESPECT_JSONPROPERTY_REQUIRED))
                .with(Option.FLATTENED_OPTIONALS)
                .without(Option.SCHEMA_VERSION_INDICATOR);
        config.forFields()
                .withTargetTypeOverridesResolver(SchemaWriter::subtypes)
                .withRequiredCheck(SchemaWriter::isRequired)
                .withNullableCheck(SchemaWriter::isNullable)
                .withDescriptionResolver(field -> description(field.getAnnotation(Description.class)));
        config.forMethods()
                .withNullableCheck(SchemaWriter::isNullable)
                .withDescriptionResolver(SchemaWriter::description);
        config.forTypesInGeneral()
                .withDescriptionResolver(
                        scope -> description(scope.getType().getErasedType().getAnnotation(Description.class)));
        config.forTypesInGeneral().withCustomDefinitionProvider(SchemaWriter::singleValue);
        config.forTypesInGeneral().withCustomDefinitionProvider(SchemaWriter::iterable);
        if (HAS_CONSTRAINTS) {
            JakartaConstraints.addTo(config);
        }
        return config;
    }

    private static @Nullable CustomDefinition oneOfSubtypes(ResolvedType type, SchemaGenerationContext context) {
        List<ResolvedType> subtypes = type.getErasedType().isAnnotationPresent(JsonTypeInfo.class)
                ? subtypes(type, context.getTypeContext())
                : null;
        if (subtypes == null) {
            return null;
        }
        ObjectNode schema = context.getGeneratorConfig().createObjectNode();
        subtypes.forEach(
                subtype -> schema.withArray("anyOf").add(context.createStandardDefinitionReference(subtype, SEALED)));
        return new CustomDefinition(schema);
    }

    /** Return the subtypes of a field that is annotated itself. */
    private static @Nullable List<ResolvedType> subtypes(FieldScope field) {
        return field.getAnnotationConsideringFieldAndGetter(JsonTypeInfo.class) == null
                ? null
                : subtypes(field.getType(), field.getContext());
    }

    /** Return the subtypes that the JSON library knows of a sealed type by itself, at all levels; null of any other type. */
    private static @Nullable List<ResolvedType> subtypes(ResolvedType type, TypeContext context) {
        Class<?> sealed = type.getErasedType();
        return !sealed.isSealed() || sealed.isAnnotationPresent(JsonSubTypes.class)
                ? null
                : permitted(sealed)
                        .distinct()
                        .map(subtype -> context.resolveSubtype(type, subtype))
                        .toList();
    }

    private static Stream<Class<?>> permitted(Class<?> type) {
        Stream<Class<?>> own = Modifier.isAbstract(type.getModifiers()) ? Stream.of() : Stream.of(type);
        return type.isSealed()
                ? Stream.concat(own, Stream.of(type.getPermittedSubclasses()).flatMap(SchemaWriter::permitted))
                : own;
    }

    /** An {@link Iterable} is read and written as a list; from its methods the schema library makes an object of it. */
    private static @Nullable CustomDefinition iterable(ResolvedType type, SchemaGenerationContext context) {
        if (type.getErasedType() != Iterable.class) {
            return null;
        }
        ObjectNode schema = context.getGeneratorConfig().createObjectNode().put("type", "array");
        List<ResolvedType> items = type.typeParametersFor(Iterable.class);
        if (items != null && !items.isEmpty() && items.getFirst().getErasedType() != Object.class) {
            schema.set("items", context.createDefinitionReference(items.getFirst()));
        }
        return new CustomDefinition(
                schema, CustomDefinition.DefinitionType.INLINE, CustomDefinition.AttributeInclusion.YES);
    }

    private static @Nullable CustomDefinition singleValue(ResolvedType type, SchemaGenerationContext context) {
        List<String> names = SINGLE_VALUES.get(type.getErasedType());
        if (names == null) {
            return null;
        }
        ObjectNode schema = context.getGeneratorConfig().createObjectNode();
        if (names.size() == 1) {
            schema.put("type", names.getFirst());
        } else {
            names.forEach(schema.putArray("type")::add);
        }
        return new CustomDefinition(
                schema, CustomDefinition.DefinitionType.INLINE, CustomDefinition.AttributeInclusion.YES);
    }

    private static boolean isPresent(String optional) {
        try {
            Class.forName(optional, false, SchemaWriter.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static boolean isRequired(FieldScope field) {
        return !field.isFakeContainerItemScope()
                && !isOptional(field.getRawMember().getType())
                && !PlainTypes.isNullable(field.getRawMember().getAnnotatedType());
    }

    /** Return whether a component may be null; nothing if others decide. */
    private static @Nullable Boolean isNullable(FieldScope field) {
        boolean nullable = !field.isFakeContainerItemScope()
                && PlainTypes.isNullable(field.getRawMember().getAnnotatedType());
        return nullable ? true : null;
    }

    /** Return the same of a parameter. */
    private static @Nullable Boolean isNullable(MethodScope parameter) {
        return (parameter instanceof ParameterScope scope && scope.isNullable()) ? true : null;
    }

    /** Return whether a value of a type may be missing. */
    static boolean isOptional(Class<?> type) {
        return type.equals(Optional.class)
                || type.equals(OptionalInt.class)
                || type.equals(OptionalLong.class)
                || type.equals(OptionalDouble.class);
    }

    private static @Nullable String description(MethodScope parameter) {
        return parameter.isFakeContainerItemScope() ? null : description(parameter.getAnnotation(Description.class));
    }

    private static @Nullable String description(@Nullable Description description) {
        return description == null ? null : description.value();
    }
}
