package dev.chargehand.models.internal;

/**
 * Where servers of the same protocol differ.
 *
 * @param maxTokensField the field for the longest answer
 * @param streamOptions whether usage must be asked for with {@code stream_options}, and may be
 * @param seedField the field for a seed
 */
public record Dialect(String maxTokensField, boolean streamOptions, String seedField) {

    /** What most compatible servers understand. */
    public static final Dialect COMPATIBLE = new Dialect("max_tokens", true, "seed");

    /** OpenAI's own, and who followed it: newer models refuse {@code max_tokens}. */
    public static final Dialect OPENAI = new Dialect("max_completion_tokens", true, "seed");

    /** Mistral's: it refuses fields that it does not know, and sends usage unasked. */
    public static final Dialect MISTRAL = new Dialect("max_tokens", false, "random_seed");
}
