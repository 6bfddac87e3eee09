package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values that belong to one request: a user, a tenant, a locale.
 *
 * <p>Immutable. Instructions, models, tools and hooks can read it; a delegation gets a copy; nothing of it is shown to
 * a model. Values under a {@link Key#of} key are stored with the run, those under a {@link Key#transientOf} key never.
 */
public final class RequestContext {

    private static final RequestContext EMPTY = new RequestContext(Map.of());

    private final Map<Key<?>, Object> values;

    private RequestContext(Map<Key<?>, Object> values) {
        this.values = values;
    }

    /**
     * Names and types a value.
     *
     * @param name unique within a context
     * @param type the value's type; a stored one must be readable from JSON
     * @param stored whether the value is stored with the run
     * @param <T> the value's type
     */
    public record Key<T>(String name, Class<T> type, boolean stored) {

        public Key {
            if (name.isBlank()) {
                throw new ConfigurationException("The key of a request context must have a name.");
            }
        }

        /** Make a key whose value is stored with the run and exists again when the run is resumed. */
        public static <T> Key<T> of(String name, Class<T> type) {
            return new Key<>(name, type, true);
        }

        /** Make a key whose value is never stored and must be given again when the run is resumed. */
        public static <T> Key<T> transientOf(String name, Class<T> type) {
            return new Key<>(name, type, false);
        }
    }

    /** Return the context without values. */
    public static RequestContext empty() {
        return EMPTY;
    }

    /** Make a context of one value. */
    public static <T> RequestContext of(Key<T> key, T value) {
        return EMPTY.with(key, value);
    }

    /**
     * Return this context with one more value; a value of the same name is replaced.
     *
     * @throws ConfigurationException if the key is stored and the value has no JSON form that reads back
     */
    @CheckReturnValue
    public <T> RequestContext with(Key<T> key, T value) {
        if (key.stored()) {
            requireStorable(key, value);
        }
        Map<Key<?>, Object> more = new HashMap<>(values);
        more.keySet().removeIf(k -> k.name().equals(key.name()));
        more.put(key, value);
        return new RequestContext(Map.copyOf(more));
    }

    /** Return this context with the values of another, which win. */
    @CheckReturnValue
    public RequestContext merge(RequestContext other) {
        Map<Key<?>, Object> more = new HashMap<>(values);
        other.values.forEach((key, value) -> {
            more.keySet().removeIf(k -> k.name().equals(key.name()));
            more.put(key, value);
        });
        return new RequestContext(Map.copyOf(more));
    }

    /** Return a value, if it exists. */
    public <T> Optional<T> get(Key<T> key) {
        Object value = values.get(key);
        if (value == null) {
            value = restored(key);
        }
        return value == null ? Optional.empty() : Optional.of(key.type().cast(value));
    }

    /** Return the values that are stored with the run, by name. */
    public Map<String, Json> stored() {
        if (values.isEmpty()) {
            return Map.of();
        }
        Map<String, Json> stored = new HashMap<>();
        values.forEach((key, value) -> {
            if (key.stored()) {
                stored.put(key.name(), Json.of(value));
            }
        });
        return Map.copyOf(stored);
    }

    /** Return the names of the values that are never stored. */
    public Set<String> transientNames() {
        if (values.isEmpty()) {
            return Set.of();
        }
        return values.keySet().stream()
                .filter(key -> !key.stored())
                .map(Key::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Return this context with nothing but the values that are never stored. */
    @CheckReturnValue
    public RequestContext transientOnly() {
        Map<Key<?>, Object> kept = new HashMap<>(values);
        kept.keySet().removeIf(Key::stored);
        return new RequestContext(Map.copyOf(kept));
    }

    /** Make a context of what {@link #stored()} returned; the values are read when a typed key asks for them. */
    public static RequestContext restore(Map<String, Json> stored) {
        Map<Key<?>, Object> values = new HashMap<>();
        stored.forEach((name, json) -> values.put(Key.of(name, Json.class), json));
        return new RequestContext(Map.copyOf(values));
    }

    private <T> @Nullable T restored(Key<T> key) {
        return key.stored() && values.get(Key.of(key.name(), Json.class)) instanceof Json json
                ? json.as(key.type())
                : null;
    }

    private static <T> void requireStorable(Key<T> key, T value) {
        try {
            Json written = Json.of(value);
            if (key.type() != Json.class) {
                written.as(key.type());
            }
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    "The value of request context key '" + key.name()
                            + "' cannot be stored; use a record of plain values, or Key.transientOf.",
                    e);
        }
    }
}
