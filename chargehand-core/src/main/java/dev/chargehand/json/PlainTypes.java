package dev.chargehand.json;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the schemas of the plainest types: texts, numbers, truth values, and records of these without annotations of
 * others; and reads such records. The libraries would write and read the same, but take longer to load than the rest of a short program.
 * Thread-safe.
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

    /** The constructors of plain records by their types; null for any other type. */
    private static final ClassValue<@Nullable Constructor<?>> CONSTRUCTORS = new ClassValue<>() {
        @Override
        protected @Nullable Constructor<?> computeValue(Class<?> type) {
            return isPlain(type) ? constructor(type) : null;
        }
    };

    private PlainTypes() {}

    /** Return a value as a plain record; nothing if the type is another one, or the value does not obviously fit it. */
    static <T> Optional<T> read(JsonNode value, Class<T> type) {
        Constructor<?> constructor = value.isObject() ? CONSTRUCTORS.get(type) : null;
        if (constructor == null) {
            return Optional.empty();
        }
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] parts = new Object[components.length];
        for (int i = 0; i < parts.length; i++) {
            JsonNode given = value.path(components[i].getName());
            parts[i] = part(given, components[i].getType());
            if (parts[i] == null && !mayBeAbsent(components[i], given)) {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(type.cast(constructor.newInstance(parts)));
        } catch (ReflectiveOperationException e) {
            return Optional.empty(); // the mapping calls it too, and says what it has thrown
        }
    }

    private static boolean mayBeAbsent(RecordComponent component, JsonNode given) {
        return (given.isMissingNode() || given.isNull()) && isNullable(component.getAnnotatedType());
    }

    private static @Nullable Object part(JsonNode value, Class<?> type) {
        if (type.equals(String.class)) {
            return value.isString() ? value.stringValue() : null;
        }
        if (type.equals(boolean.class) || type.equals(Boolean.class)) {
            return value.isBoolean() ? value.booleanValue() : null;
        }
        if (type.equals(int.class) || type.equals(Integer.class)) {
            return value.isInt() ? value.intValue() : null;
        }
        if (type.equals(long.class) || type.equals(Long.class)) {
            return value.isInt() || value.isLong() ? value.longValue() : null;
        }
        return value.isInt() || value.isDouble() ? value.doubleValue() : null;
    }

    private static @Nullable Constructor<?> constructor(Class<?> record) {
        RecordComponent[] components = record.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        try {
            Constructor<?> constructor = record.getDeclaredConstructor(types);
            return constructor.trySetAccessible() ? constructor : null;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Record " + record + " has no canonical constructor.", e);
        }
    }

    /** Return the schema of a plain type; nothing for any other. */
    static Optional<ObjectNode> schemaOf(Type type) {
        if (!(type instanceof Class<?> plain)) {
            return Optional.empty();
        }
        if (TYPES.containsKey(plain)) {
            return Optional.of(JsonNodeFactory.instance.objectNode().put("type", TYPES.get(plain)));
        }
        return isPlain(plain) ? Optional.of(written(plain)) : Optional.empty();
    }

    private static boolean isPlain(Class<?> type) {
        return type.isRecord()
                && type.getRecordComponents().length > 0
                && type.getInterfaces().length == 0
                && type.getAnnotations().length == 0
                && arePlain(type.getRecordComponents())
                && areOurs(type.getDeclaredFields())
                && areOurs(type.getDeclaredMethods())
                && areOurs(type.getDeclaredConstructors());
    }

    private static boolean arePlain(RecordComponent[] components) {
        for (RecordComponent component : components) {
            if (!TYPES.containsKey(component.getType()) || !isOurs(component)) {
                return false;
            }
            for (Annotation each : component.getAnnotatedType().getAnnotations()) {
                if (!each.annotationType().equals(Nullable.class)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean areOurs(AnnotatedElement[] elements) {
        for (AnnotatedElement element : elements) {
            if (!isOurs(element)) {
                return false;
            }
        }
        return true;
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
        for (Annotation annotation : type.getAnnotations()) {
            if (annotation.annotationType().equals(Nullable.class)) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode written(Class<?> record) {
        RecordComponent[] components = record.getRecordComponents();
        Arrays.sort(components, Comparator.comparing(RecordComponent::getName)); // of a copy
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = JsonNodeFactory.instance.arrayNode();
        for (RecordComponent component : components) {
            ObjectNode property = properties.putObject(component.getName());
            boolean nullable = isNullable(component.getAnnotatedType());
            if (nullable) {
                property.putArray("type").add(TYPES.get(component.getType())).add("null");
            } else {
                property.put("type", TYPES.get(component.getType()));
            }
            Description description = component.getAnnotation(Description.class);
            if (description != null) {
                property.put("description", description.value());
            }
            if (!nullable) {
                required.add(component.getName());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema;
    }
}
