package dev.chargehand.internal.option;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.internal.text.TimeBound;
import dev.chargehand.processor.Processor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks values of options and merges them. */
public final class OptionChecks {

    private static final int KEY_LENGTH = 255;

    private OptionChecks() {}

    static UnaryOperator<Integer> atLeastOne(String option) {
        return value -> {
            if (value < 1) {
                throw new ConfigurationException(
                        "Option '" + option + "' must be at least 1, but is " + value + "; there is no unlimited.");
            }
            return value;
        };
    }

    static UnaryOperator<Integer> notNegative(String option) {
        return value -> {
            if (value < 0) {
                throw new ConfigurationException("Option '" + option + "' must not be negative, but is " + value + ".");
            }
            return value;
        };
    }

    static UnaryOperator<Duration> positive(String option) {
        return value -> TimeBound.aboveZero(
                "Option '" + option + "'", value, "there is no unlimited", ConfigurationException::new);
    }

    /** A key goes through headers of HTTP. */
    static UnaryOperator<String> key(String option) {
        return value -> requireKey("Option '" + option + "'", value);
    }

    /**
     * Return a key if it can be one.
     *
     * @param what the subject of the error
     */
    public static String requireKey(String what, String value) {
        if (value.isEmpty() || value.length() > KEY_LENGTH || !value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new ConfigurationException(
                    what + " must have 1 to " + KEY_LENGTH + " visible ASCII characters, without blanks.");
        }
        return value;
    }

    static UnaryOperator<String> notBlank(String option) {
        return value -> {
            if (value.isBlank()) {
                throw new ConfigurationException("Option '" + option + "' must not be blank.");
            }
            return value;
        };
    }

    /** Require of every processor that it implements one of several interfaces. */
    static UnaryOperator<List<Processor>> implementing(String option, List<Class<? extends Processor>> kinds) {
        return processors -> {
            List<Processor> checked = OptionChecks.<Processor>elements(option).apply(processors);
            for (Processor processor : checked) {
                if (kinds.stream().noneMatch(kind -> kind.isInstance(processor))) {
                    throw new ConfigurationException("Option '" + option + "': processor '" + processor.name()
                            + "' must implement one of "
                            + kinds.stream().map(Class::getSimpleName).collect(Collectors.joining(", ")) + ".");
                }
            }
            return checked;
        };
    }

    /** Copy lists without a null in them. */
    static <E> UnaryOperator<List<E>> elements(String option) {
        return values -> {
            values.forEach(value -> present(option, value));
            return List.copyOf(values);
        };
    }

    /** Copy maps without a null in them. */
    static <K, V> UnaryOperator<Map<K, V>> entries(String option) {
        return values -> {
            values.forEach((key, value) -> {
                present(option, key);
                present(option, value);
            });
            return Map.copyOf(values);
        };
    }

    /** Reject the null of a caller whose build does not look for it. */
    static <T extends @Nullable Object> T present(String option, T value) {
        if (value == null) {
            throw new ConfigurationException(
                    "Option '" + option + "' must not be null; leave the call out to keep the default.");
        }
        return value;
    }

    static Map<Hook, HookPolicy> allowed(Map<Hook, HookPolicy> given) {
        Map<Hook, HookPolicy> policies =
                OptionChecks.<Hook, HookPolicy>entries("hookPolicy").apply(given);
        policies.forEach((hook, policy) -> {
            if (!hook.allows(policy)) {
                throw new ConfigurationException("The failure of hook '" + hook.key() + "' cannot mean " + policy
                        + "; allowed are "
                        + Arrays.stream(HookPolicy.values())
                                .filter(hook::allows)
                                .map(HookPolicy::name)
                                .collect(Collectors.joining(", "))
                        + ".");
            }
        });
        return policies;
    }

    static Map<Hook, Duration> positive(Map<Hook, Duration> given) {
        Map<Hook, Duration> limits =
                OptionChecks.<Hook, Duration>entries("hookTimeLimit").apply(given);
        limits.forEach((hook, limit) -> TimeBound.aboveZero(
                "The time limit of hook '" + hook.key() + "'",
                limit,
                "a limit cannot be switched off, raise it instead",
                ConfigurationException::new));
        return limits;
    }

    /** Let the entries of two maps be merged; those of the second win. */
    static <K, V> BinaryOperator<Map<K, V>> entriesOfBoth() {
        return OptionChecks::both;
    }

    static <E> List<E> both(List<E> before, List<E> more) {
        List<E> both = new ArrayList<>(before);
        both.addAll(more);
        return both;
    }

    private static <K, V> Map<K, V> both(Map<K, V> before, Map<K, V> more) {
        Map<K, V> both = new HashMap<>(before);
        both.putAll(more);
        return both;
    }
}
