package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The limits of a run and its descendants together: the defaults of {@link Limit}, and those that were changed.
 *
 * @param changed the limits that differ from their defaults
 */
public record Limits(Map<Limit, Long> changed) {

    /** Every limit at its default. */
    public static final Limits DEFAULT = new Limits(Map.of());

    public Limits {
        EnumMap<Limit, Long> copy = new EnumMap<>(Limit.class);
        copy.putAll(changed);
        for (Map.Entry<Limit, Long> each : copy.entrySet()) {
            if (each.getValue() < 1) {
                throw new ConfigurationException("Limit '" + each.getKey().key() + "' must be at least 1, but is "
                        + each.getValue() + "; a limit cannot be switched off, raise it instead.");
            }
        }
        changed = Collections.unmodifiableMap(copy);
    }

    /** Return the value of a limit. */
    public long get(Limit limit) {
        Long set = changed.get(limit);
        return set == null ? limit.byDefault() : set;
    }

    /**
     * Return these limits with one changed.
     *
     * @throws ConfigurationException if the value is below 1
     */
    @CheckReturnValue
    public Limits with(Limit limit, long value) {
        EnumMap<Limit, Long> more = new EnumMap<>(Limit.class);
        more.putAll(changed);
        more.put(limit, value);
        return new Limits(more);
    }
}
