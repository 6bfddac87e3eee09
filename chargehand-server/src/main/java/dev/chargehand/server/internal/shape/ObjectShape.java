package dev.chargehand.server.internal.shape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A builder of the {@link Shape} of an object. Not thread-safe; every method returns the builder. */
public final class ObjectShape {

    private final boolean closed;
    private final Map<String, Shape> fields = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();

    ObjectShape(boolean closed) {
        this.closed = closed;
    }

    /** Add a field that is always there. */
    public ObjectShape always(String name, Shape shape) {
        required.add(name);
        return maybe(name, shape);
    }

    /** Add a field that is always there. */
    public ObjectShape always(String name, Shape shape, String description) {
        return always(name, shape.described(description));
    }

    /** Add a field that may be absent. */
    public ObjectShape maybe(String name, Shape shape) {
        fields.put(name, shape);
        return this;
    }

    /** Add a field that may be absent. */
    public ObjectShape maybe(String name, Shape shape, String description) {
        return maybe(name, shape.described(description));
    }

    /** Add the fields of another object. */
    public ObjectShape all(Shape other) {
        other.names().forEach(name -> fields.put(name, other.field(name)));
        if (other.keywords().get("required") instanceof List<?> names) {
            names.forEach(name -> required.add(name.toString()));
        }
        return this;
    }

    /** Build the shape. */
    public Shape build() {
        Map<String, Object> keywords = new LinkedHashMap<>();
        keywords.put("type", "object");
        keywords.put("properties", new LinkedHashMap<>(fields));
        if (!required.isEmpty()) {
            keywords.put("required", List.copyOf(required));
        }
        if (closed) {
            keywords.put("additionalProperties", false);
        }
        return new Shape(null, keywords);
    }

    /** Build the shape with a name; see {@link Shape#named}. */
    public Shape named(String name) {
        return build().named(name);
    }
}
