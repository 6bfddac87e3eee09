package dev.chargehand.json;

import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.MethodScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON Schemas of Java types, the way Chargehand reads records. */
final class SchemaWriter {

    private static final boolean HAS_CONSTRAINTS = isPresent("jakarta.validation.Constraint")
            && isPresent("com.github.victools.jsonschema.module.jakarta.validation.JakartaValidationModule");

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
                        JsonMapping.mapper(), SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(new JacksonSchemaModule(JacksonOption.RESPECT_JSONPROPERTY_REQUIRED))
                .with(Option.FLATTENED_OPTIONALS)
                .without(Option.SCHEMA_VERSION_INDICATOR);
        config.forFields()
                .withRequiredCheck(SchemaWriter::isRequired)
                .withDescriptionResolver(field -> description(field.getAnnotation(Description.class)));
        config.forMethods().withDescriptionResolver(SchemaWriter::description);
        config.forTypesInGeneral()
                .withDescriptionResolver(
                        scope -> description(scope.getType().getErasedType().getAnnotation(Description.class)));
        if (HAS_CONSTRAINTS) {
            JakartaConstraints.addTo(config);
        }
        return config;
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
                && !field.getRawMember().getType().equals(Optional.class)
                && !PlainTypes.isNullable(field.getRawMember().getAnnotatedType());
    }

    private static @Nullable String description(MethodScope parameter) {
        return parameter.isFakeContainerItemScope() ? null : description(parameter.getAnnotation(Description.class));
    }

    private static @Nullable String description(@Nullable Description description) {
        return description == null ? null : description.value();
    }
}
