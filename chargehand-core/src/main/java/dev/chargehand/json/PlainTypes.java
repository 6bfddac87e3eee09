package dev.chargehand.json;

import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the schemas of the plainest types: texts, numbers, truth values, and records of these without annotations of
 * others. The schema library would write the same, but takes longer to load than the rest of a short program.
 */
final class PlainTypes {

    private static final Map<Class<?>, String> TYPES = Map.of(
            String.class, "string",
            int.class, "integer",
            Integer.class, "integer",
            long.class, "integer",
            Long.class, "integer",
            double.class, "number",
            Double.class, "number",
            boolean.class, "boolean",
            Boolean.class, "boolean");

    private PlainTypes() {}

    /** Return the schema of a plain type; nothing for any other. */
    static Optional<ObjectNode> schemaOf(Type type) {
        if (!(type instanceof Class<?> plain)) {
            return Optional.empty();
        }
        if (TYPES.containsKey(plain)) {
            return Optional.of(JsonMapping.MAPPER.createObjectNode().put("type", TYPES.get(plain)));
        }
        return isPlain(plain) ? Optional.of(written(plain)) : Optional.empty();
    }

    private static boolean isPlain(Class<?> type) {
        return type.isRecord()
                && type.getRecordComponents().length > 0
                && type.getInterfaces().length == 0
                && type.getAnnotations().length == 0
                && Arrays.stream(type.getRecordComponents()).allMatch(PlainTypes::isPlain)
                && Stream.<AccessibleObject[]>of(
                                type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
                        .flatMap(Arrays::stream)
                        .allMatch(PlainTypes::isOurs);
    }

    private static boolean isPlain(RecordComponent component) {
        return TYPES.containsKey(component.getType())
                && isOurs(component)
                && Arrays.stream(component.getAnnotatedType().getAnnotations())
                        .allMatch(each -> each.annotationType().equals(Nullable.class));
    }

    /** Return whether something has no annotation, or only one that is read here. */
    private static boolean isOurs(AnnotatedElement element) {
        for (Annotation each : element.getAnnotations()) {
            if (!each.annotationType().equals(Description.class)) {
                return false;
            }
        }
        return true;
    }

    /** Return whether a component or a parameter may be null. */
    static boolean isNullable(AnnotatedElement type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().equals(Nullable.class));
    }

    private static ObjectNode written(Class<?> record) {
        List<RecordComponent> components = Arrays.stream(record.getRecordComponents())
                .sorted(Comparator.comparing(RecordComponent::getName))
                .toList();
        ObjectNode schema = JsonMapping.MAPPER.createObjectNode();
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = JsonMapping.MAPPER.createArrayNode();
        for (RecordComponent component : components) {
            ObjectNode property = properties.putObject(component.getName());
            property.put("type", TYPES.get(component.getType()));
            Description description = component.getAnnotation(Description.class);
            if (description != null) {
                property.put("description", description.value());
            }
            if (!isNullable(component.getAnnotatedType())) {
                required.add(component.getName());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema;
    }
}
