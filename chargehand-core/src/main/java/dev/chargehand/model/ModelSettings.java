package dev.chargehand.model;

import dev.chargehand.annotation.CheckReturnValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a model's answer; null or empty values leave the choice to the provider.
 *
 * @param temperature randomness, usually 0 to 2
 * @param topP nucleus sampling, 0 to 1
 * @param maxOutputTokens the longest answer
 * @param seed for repeatable answers where a provider has them
 * @param stopSequences texts that end the answer
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

    /** Return these settings with another temperature. */
    @CheckReturnValue
    public ModelSettings temperature(double value) {
        return new ModelSettings(value, topP, maxOutputTokens, seed, stopSequences, reasoningEffort);
    }

    /** Return these settings with another nucleus. */
    @CheckReturnValue
    public ModelSettings topP(double value) {
        return new ModelSettings(temperature, value, maxOutputTokens, seed, stopSequences, reasoningEffort);
    }

    /** Return these settings with another longest answer. */
    @CheckReturnValue
    public ModelSettings maxOutputTokens(int value) {
        return new ModelSettings(temperature, topP, value, seed, stopSequences, reasoningEffort);
    }

    /** Return these settings with another seed. */
    @CheckReturnValue
    public ModelSettings seed(long value) {
        return new ModelSettings(temperature, topP, maxOutputTokens, value, stopSequences, reasoningEffort);
    }

    /** Return these settings with other texts that end the answer. */
    @CheckReturnValue
    public ModelSettings stopSequences(List<String> values) {
        return new ModelSettings(temperature, topP, maxOutputTokens, seed, values, reasoningEffort);
    }

    /** Return these settings with another reasoning effort. */
    @CheckReturnValue
    public ModelSettings reasoningEffort(String value) {
        return new ModelSettings(temperature, topP, maxOutputTokens, seed, stopSequences, value);
    }
}
