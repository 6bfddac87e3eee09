package dev.chargehand.models.internal;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;

/**
 * Where servers of the same protocol differ.
 *
 * @param maxTokensField the field for the longest answer
 * @param streamOptions whether usage must be asked for with {@code stream_options}, and may be
 * @param seedField the field for a seed
 * @param responseFormat whether it takes a {@code response_format} with a JSON Schema, in addition to tools and in a
 *     stream too
 */
public record Dialect(String maxTokensField, boolean streamOptions, String seedField, boolean responseFormat) {

    /** What most compatible servers understand. */
    public static final Dialect COMPATIBLE = new Dialect("max_tokens", true, "seed", false);

    /** OpenAI's own dialect: newer models reject {@code max_tokens}. */
    public static final Dialect OPENAI = new Dialect("max_completion_tokens", true, "seed", true);

    /**
     * The dialect of OpenAI-compatible servers that do not accept a response format together with tools or in a stream.
     */
    public static final Dialect FOLLOWER = new Dialect("max_completion_tokens", true, "seed", false);

    /** Mistral's dialect: it rejects unknown fields, and sends usage unasked. */
    public static final Dialect MISTRAL = new Dialect("max_tokens", false, "random_seed", false);

    /** Return whether a schema can be sent: only a schema of an object. */
    boolean takes(JsonSchema schema) {
        return responseFormat
                && schema.json()
                        .at("/type")
                        .flatMap(Json::string)
                        .filter("object"::equals)
                        .isPresent();
    }
}
