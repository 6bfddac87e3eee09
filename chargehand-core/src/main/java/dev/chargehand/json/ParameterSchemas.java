package dev.chargehand.json;

import com.fasterxml.classmate.ResolvedType;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.CustomDefinitionProviderV2;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaKeyword;
import java.lang.reflect.Parameter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the parameters of a method as the properties of an object, with their annotations. */
final class ParameterSchemas implements CustomDefinitionProviderV2 {

    /** Stands for the parameters where the schema library expects a type. */
    static final class Arguments {}

    private final List<Parameter> parameters;

    ParameterSchemas(List<Parameter> parameters) {
        this.parameters = parameters;
    }

    @Override
    public @Nullable CustomDefinition provideCustomSchemaDefinition(
            ResolvedType type, SchemaGenerationContext context) {
        return type.getErasedType().equals(Arguments.class)
                ? new CustomDefinition(
                        object(context),
                        CustomDefinition.DefinitionType.STANDARD,
                        CustomDefinition.AttributeInclusion.NO)
                : null;
    }

    private ObjectNode object(SchemaGenerationContext context) {
        ObjectNode object = context.getGeneratorConfig().createObjectNode();
        object.put(context.getKeyword(SchemaKeyword.TAG_TYPE), context.getKeyword(SchemaKeyword.TAG_TYPE_OBJECT));
        ObjectNode properties = object.putObject(context.getKeyword(SchemaKeyword.TAG_PROPERTIES));
        ArrayNode required = context.getGeneratorConfig().createArrayNode();
        for (Parameter parameter : parameters) {
            ParameterScope scope = ParameterScope.of(parameter, context.getTypeContext());
            properties.set(parameter.getName(), context.createStandardDefinitionReference(scope, null));
            if (isRequired(parameter)) {
                required.add(parameter.getName());
            }
        }
        if (!required.isEmpty()) {
            object.set(context.getKeyword(SchemaKeyword.TAG_REQUIRED), required);
        }
        return object;
    }

    private static boolean isRequired(Parameter parameter) {
        return !SchemaWriter.isOptional(parameter.getType()) && !PlainTypes.isNullable(parameter.getAnnotatedType());
    }
}
