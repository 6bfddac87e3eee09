package dev.chargehand.json;

import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON Schemas of Java types, the way Chargehand reads records. */
final class SchemaWriter {

    private static final SchemaGenerator GENERATOR = generator();

    private SchemaWriter() {}

    static ObjectNode schemaOf(Type type) {
        return GENERATOR.generateSchema(type);
    }

    private static SchemaGenerator generator() {
        var config = new SchemaGeneratorConfigBuilder(
                        JsonMapping.MAPPER, SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(new JacksonSchemaModule(JacksonOption.RESPECT_JSONPROPERTY_REQUIRED))
                .with(Option.FLATTENED_OPTIONALS)
                .without(Option.SCHEMA_VERSION_INDICATOR);
        config.forFields()
                .withRequiredCheck(SchemaWriter::isRequired)
                .withDescriptionResolver(field -> description(field.getAnnotation(Description.class)));
        config.forTypesInGeneral()
                .withDescriptionResolver(
                        scope -> description(scope.getType().getErasedType().getAnnotation(Description.class)));
        return new SchemaGenerator(config.build());
    }

    private static boolean isRequired(FieldScope field) {
        return !field.isFakeContainerItemScope()
                && !field.getRawMember().getType().equals(Optional.class)
                && Arrays.stream(field.getRawMember().getAnnotatedType().getAnnotations())
                        .noneMatch(a -> a.annotationType().equals(Nullable.class));
    }

    private static @Nullable String description(@Nullable Description description) {
        return description == null ? null : description.value();
    }
}
