package dev.chargehand.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.Optional;

/**
 * Names a type with type arguments, which a class cannot: {@code new JsonType<List<Report>>() {}}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <T> the type
 */
public abstract class JsonType<T> {

    private final Type type;

    /**
     * Capture the type argument of the subclass.
     *
     * @throws IllegalStateException if the subclass has none
     */
    protected JsonType() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType generic)) {
            throw new IllegalStateException("A JsonType needs its type: new JsonType<List<Report>>() {}.");
        }
        this.type = generic.getActualTypeArguments()[0];
    }

    private JsonType(Type type) {
        this.type = type;
    }

    /** Name a class as a type. */
    public static <T> JsonType<T> of(Class<T> type) {
        return new JsonType<T>(Objects.requireNonNull(type, "A type must not be null.")) {};
    }

    /** Name a type that is known by reflection, such as the type of a parameter. */
    public static JsonType<?> of(Type type) {
        return new JsonType<Object>(type) {};
    }

    /** Return the type. */
    public final Type type() {
        return type;
    }

    /**
     * Return why JSON values cannot be read as this type, and what is needed, without a stop at the end; nothing if they can. Interfaces
     * and abstract classes cannot be read unless Jackson's annotations name their types, and classes not without a constructor that JSON
     * can call.
     */
    public final Optional<String> obstacle() {
        return ReadableTypes.obstacle(type);
    }

    @Override
    public final String toString() {
        return type.getTypeName();
    }
}
