package dev.chargehand.provider.stream;

import dev.chargehand.run.Usage;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads how many tokens were used. */
public final class UsageReader {

    private UsageReader() {}

    /**
     * Read the value of a field; null if it is not an object.
     *
     * @param parser stands on the name of the field
     */
    public static @Nullable Usage read(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return null;
        }
        long input = 0;
        long output = 0;
        long total = 0;
        long cached = 0;
        long reasoning = 0;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "prompt_tokens" -> input = count(parser);
                case "completion_tokens" -> output = count(parser);
                case "total_tokens" -> total = count(parser);
                case "prompt_cache_hit_tokens", "cached_tokens" -> cached = count(parser);
                case "prompt_tokens_details" -> cached = detail(parser, "cached_tokens", cached);
                case "completion_tokens_details" -> reasoning = detail(parser, "reasoning_tokens", reasoning);
                default -> Tokens.skip(parser);
            }
        }
        // Most count reasoning in the output; where the total shows that it is not, it is added.
        boolean apart = reasoning > 0 && total == TokenCount.sum(input, output, reasoning);
        return new Usage(input, apart ? TokenCount.sum(output, reasoning) : output, cached, reasoning);
    }

    private static long detail(JsonParser parser, String wanted, long otherwise) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return otherwise;
        }
        long found = otherwise;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (name.equals(wanted)) {
                found = count(parser);
            } else {
                Tokens.skip(parser);
            }
        }
        return found;
    }

    private static long count(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
            parser.skipChildren();
            return 0;
        }
        return TokenCount.of(parser.getString());
    }
}
