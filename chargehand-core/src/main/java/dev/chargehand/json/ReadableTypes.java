package dev.chargehand.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Type;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.TypeWrappedDeserializer;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;

/**
 * Finds out before a value arrives whether the JSON library can read a type: an interface without the names of its types, for example,
 * has a schema, but every value would fail. Used by one thread.
 */
final class ReadableTypes {

    private static final String INTERFACES =
            ", and JSON does not name the class of a value. Use a record or a class instead, or annotate it with"
                    + " @JsonTypeInfo(use = JsonTypeInfo.Id.NAME), and with @JsonSubTypes unless it is sealed";

    /** How JSON names a class by a name that an annotation, or the class itself, gives it. */
    private static final Set<JsonTypeInfo.Id> NAMES = EnumSet.of(JsonTypeInfo.Id.NAME, JsonTypeInfo.Id.SIMPLE_NAME);

    private static final String WITHOUT_SUBTYPES =
            " has @JsonTypeInfo, but no subtypes are named. Annotate it with @JsonSubTypes, or make it sealed";

    private final DeserializationContext context = JsonMapping.mapper()._deserializationContext();
    private final Set<JavaType> seen = new HashSet<>();

    private ReadableTypes() {}

    /** Return why values of a type cannot be read, and what can be, as a sentence without its stop; nothing if they can. */
    static Optional<String> obstacle(Type type) {
        return PlainTypes.schemaOf(type).isPresent()
                ? Optional.empty()
                : Optional.ofNullable(
                        new ReadableTypes().obstacle(JsonMapping.mapper().constructType(type), ""));
    }

    private @Nullable String obstacle(JavaType type, String place) {
        if (!seen.add(type)) {
            return null;
        }
        ValueDeserializer<?> reader;
        try {
            reader = context.findRootValueDeserializer(type);
        } catch (DatabindException e) {
            return named(type, place) + " cannot be read: " + JsonMapping.cut(e.getOriginalMessage())
                    + ". Use a record of texts, numbers, enums, lists, other records, and maps whose keys are texts";
        }
        if (reader instanceof TypeWrappedDeserializer) {
            return namesNone(context.findTypeDeserializer(type)) ? named(type, place) + WITHOUT_SUBTYPES : null;
        }
        if (reader instanceof UnsupportedTypeDeserializer) {
            return named(type, place) + " is read by a module of Jackson that is missing";
        }
        if (reader instanceof AbstractDeserializer && !type.getRawClass().isAssignableFrom(String.class)) {
            return named(type, place) + " is " + (type.isInterface() ? "an interface" : "an abstract class")
                    + INTERFACES;
        }
        if (reader instanceof BeanDeserializerBase bean) {
            return bean.getValueInstantiator().canInstantiate()
                    ? ofProperties(bean, place)
                    : named(type, place) + " has no constructor that JSON can call. Use a record, or give the class a"
                            + " constructor without parameters, or one that is annotated with @JsonCreator";
        }
        return ofParts(type, place);
    }

    private @Nullable String ofProperties(BeanDeserializerBase bean, String place) {
        for (Iterator<SettableBeanProperty> all = bean.properties(); all.hasNext(); ) {
            SettableBeanProperty property = all.next();
            String below = place + "/" + property.getName();
            String obstacle = isReadByItself(property) ? null : obstacle(property.getType(), below);
            if (property.hasValueTypeDeserializer() && namesNone(property.getValueTypeDeserializer())) {
                obstacle = named(property.getType(), below) + WITHOUT_SUBTYPES;
            }
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }

    /** Return whether annotations of a property say how it is read, regardless of its type. */
    private static boolean isReadByItself(SettableBeanProperty property) {
        return property.hasValueTypeDeserializer()
                || property.getAnnotation(JsonTypeInfo.class) != null
                || property.getAnnotation(tools.jackson.databind.annotation.JsonDeserialize.class) != null;
    }

    /** Return whether JSON is to name the class of a value, and no class has a name. */
    private static boolean namesNone(TypeDeserializer types) {
        return !types.hasDefaultImpl()
                && NAMES.contains(types.getTypeIdResolver().getMechanism())
                && "[]".equals(types.getTypeIdResolver().getDescForKnownTypeIds());
    }

    private @Nullable String ofParts(JavaType type, String place) {
        JavaType content = type.getContentType();
        return content == null ? null : obstacle(content, place + (type.isReferenceType() ? "" : "/*"));
    }

    private static String named(JavaType type, String place) {
        String name = type.getRawClass().getSimpleName();
        return place.isEmpty() ? name : name + " at " + place;
    }
}
