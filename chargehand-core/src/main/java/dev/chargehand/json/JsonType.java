package dev.chargehand.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

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

    /** Name a type that is known by reflection, such as the type of a parameter. */
    public static JsonType<?> of(Type type) {
        return new JsonType<Object>(type) {};
    }

    /** Return the type. */
    public final Type type() {
        return type;
    }

    @Override
    public final String toString() {
        return type.getTypeName();
    }
}
