package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.TimeBound;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The time limits of a run: the defaults of {@link TimeLimit}, and those that were changed.
 *
 * @param changed the limits that differ from their defaults
 */
public record TimeLimits(Map<TimeLimit, Duration> changed) {

    /** Every limit at its default. */
    public static final TimeLimits DEFAULT = new TimeLimits(Map.of());

    public TimeLimits {
        EnumMap<TimeLimit, Duration> copy = new EnumMap<>(TimeLimit.class);
        copy.putAll(changed);
        copy.forEach((limit, value) -> TimeBound.aboveZero(
                "Time limit '" + limit.key() + "'",
                value,
                "a limit cannot be switched off, raise it instead",
                ConfigurationException::new));
        changed = Collections.unmodifiableMap(copy);
    }

    /** Return the value of a limit. */
    public Duration get(TimeLimit limit) {
        return changed.getOrDefault(limit, limit.byDefault());
    }

    /**
     * Return these limits with one changed.
     *
     * @throws ConfigurationException if the value is not above zero, or longer than {@link TimeLimit#LONGEST}
     */
    @CheckReturnValue
    public TimeLimits with(TimeLimit limit, Duration value) {
        EnumMap<TimeLimit, Duration> more = new EnumMap<>(TimeLimit.class);
        more.putAll(changed);
        more.put(limit, value);
        return new TimeLimits(more);
    }
}
