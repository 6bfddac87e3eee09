package dev.chargehand.models.internal;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where servers of the same protocol differ.
 *
 * @param maxTokensField the field for the longest answer
 * @param streamOptions whether usage must be asked for with {@code stream_options}, and may be
 * @param seedField the field for a seed
 * @param responseFormat whether it takes a {@code response_format} with a JSON Schema, in addition to tools and in a
 *     stream too
 * @param order the order of messages that it accepts
 * @param thinking how it is asked for reasoning
 */
public record Dialect(
        String maxTokensField,
        boolean streamOptions,
        String seedField,
        boolean responseFormat,
        Order order,
        Thinking thinking) {

    /** What most compatible servers understand. */
    public static final Dialect COMPATIBLE = of("max_tokens", Order.ANY, Thinking.EFFORT);

    /** That of services and local servers that demand an order: Perplexity, and the chat templates of many models. */
    public static final Dialect ORDERED = of("max_tokens", Order.STRICT, Thinking.EFFORT);

    /** OpenAI's own dialect: newer models reject {@code max_tokens}. */
    public static final Dialect OPENAI =
            new Dialect("max_completion_tokens", true, "seed", true, Order.ANY, Thinking.OPENAI);

    /**
     * The dialect of OpenAI-compatible servers that do not accept a response format together with tools or in a stream.
     */
    public static final Dialect FOLLOWER = of("max_completion_tokens", Order.ANY, Thinking.EFFORT);

    /** Mistral's dialect: it rejects unknown fields, and sends usage unasked. */
    public static final Dialect MISTRAL =
            new Dialect("max_tokens", false, "random_seed", false, Order.MISTRAL, Thinking.EFFORT);

    /** DeepSeek's dialect: calls go back with their reasoning. */
    public static final Dialect DEEPSEEK = of("max_tokens", Order.STRICT, Thinking.DEEPSEEK);

    /** Moonshot's dialect: likewise. */
    public static final Dialect MOONSHOT = of("max_tokens", Order.ANY, Thinking.MOONSHOT);

    /** OpenRouter's dialect: reasoning goes back in the form of its services, some of which know one system message only. */
    public static final Dialect OPENROUTER = of("max_tokens", Order.STRICT, Thinking.OPENROUTER);

    /** Models of Mistral, at any service. */
    private static final Pattern MISTRAL_MODEL =
            Pattern.compile(".*(mistral|ministral|mixtral|devstral|magistral|codestral).*");

    /** Models of OpenAI from 5.4 on; those for chat have no effort. */
    private static final Pattern LATER_OPENAI_MODEL =
            Pattern.compile("gpt-(5[.]([4-9]|[1-9][0-9])|[6-9]|[1-9][0-9])(?!.*-chat).*");

    private static Dialect of(String maxTokensField, Order order, Thinking thinking) {
        return new Dialect(maxTokensField, true, "seed", false, order, thinking);
    }

    /** Return the order of messages that a model at the server accepts. */
    Order orderOf(String model) {
        boolean isStricter = thinking != Thinking.OPENAI
                && MISTRAL_MODEL.matcher(model.toLowerCase(Locale.ROOT)).matches();
        return isStricter ? Order.MISTRAL : order;
    }

    /**
     * Return whether a model at the server takes tools only if it is set not to reason: OpenAI's later ones in chat
     * completions, which reason unasked.
     */
    boolean callsWithoutReasoning(String model) {
        return thinking == Thinking.OPENAI && LATER_OPENAI_MODEL.matcher(model).matches();
    }

    /** Return this dialect with the fields and abilities that an application names. */
    public Dialect with(String longest, boolean options, String seed, boolean format) {
        return new Dialect(longest, options, seed, format, order, thinking);
    }

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
