package dev.chargehand.model;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a model's answer; null or empty values leave the choice to the provider.
 *
 * <p>The constructor takes values as they are, as those of runs that were stored by an earlier version. The methods that change one, and
 * each option that takes settings, reject invalid ones.
 *
 * @param temperature randomness, 0 to 2
 * @param topP nucleus sampling, 0 to 1
 * @param maxOutputTokens the longest answer in tokens, at least 1
 * @param seed for repeatable answers where a provider has them
 * @param stopSequences texts that end the answer, none of them empty
 * @param reasoningEffort such as {@code low} or {@code high}, where a model has it
 */
public record ModelSettings(
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxOutputTokens,
        @Nullable Long seed,
        List<String> stopSequences,
        @Nullable String reasoningEffort) {

    /** Leaves everything to the provider. */
    public static final ModelSettings DEFAULT = new ModelSettings(null, null, null, null, List.of(), null);

    public ModelSettings {
        stopSequences = List.copyOf(stopSequences);
    }

    /** Return these settings with another temperature, from 0 to 2. */
    @CheckReturnValue
    public ModelSettings temperature(double value) {
        return new ModelSettings(value, topP, maxOutputTokens, seed, stopSequences, reasoningEffort).requireValid();
    }

    /** Return these settings with another nucleus, from 0 to 1. */
    @CheckReturnValue
    public ModelSettings topP(double value) {
        return new ModelSettings(temperature, value, maxOutputTokens, seed, stopSequences, reasoningEffort)
                .requireValid();
    }

    /** Return these settings with another longest answer, in tokens, at least 1. */
    @CheckReturnValue
    public ModelSettings maxOutputTokens(int value) {
        return new ModelSettings(temperature, topP, value, seed, stopSequences, reasoningEffort).requireValid();
    }

    /** Return these settings with another seed. */
    @CheckReturnValue
    public ModelSettings seed(long value) {
        return new ModelSettings(temperature, topP, maxOutputTokens, value, stopSequences, reasoningEffort);
    }

    /** Return these settings with other texts that end the answer. */
    @CheckReturnValue
    public ModelSettings stopSequences(List<String> values) {
        if (values == null || values.stream().anyMatch(each -> each == null)) {
            throw invalid("stopSequences must not be null, nor hold a null");
        }
        return new ModelSettings(temperature, topP, maxOutputTokens, seed, values, reasoningEffort).requireValid();
    }

    /** Return these settings with another reasoning effort. */
    @CheckReturnValue
    public ModelSettings reasoningEffort(String value) {
        return new ModelSettings(temperature, topP, maxOutputTokens, seed, stopSequences, value).requireValid();
    }

    /**
     * Return these settings if a model can be called with them.
     *
     * @throws ConfigurationException if one is out of its bounds; it names the setting and what is allowed
     */
    @CheckReturnValue
    public ModelSettings requireValid() {
        requireBetween("temperature", temperature, 2);
        requireBetween("topP", topP, 1);
        if (maxOutputTokens != null && maxOutputTokens < 1) {
            throw invalid("maxOutputTokens must be at least 1, but is " + maxOutputTokens);
        }
        if (stopSequences.contains("")) {
            throw invalid("stopSequences has an empty text, which ends each answer at once");
        }
        if (reasoningEffort != null && reasoningEffort.isBlank()) {
            throw invalid("reasoningEffort is blank; it is a word such as 'low' or 'high'");
        }
        return this;
    }

    private static void requireBetween(String name, @Nullable Double value, int most) {
        if (value != null && !(value >= 0 && value <= most)) { // false for NaN, too
            throw invalid(name + " must be a number from 0 to " + most + ", but is " + value);
        }
    }

    private static ConfigurationException invalid(String mistake) {
        return new ConfigurationException("Model settings: " + mistake + ". Leave it out to let the provider choose.");
    }
}
