package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.run.Usage;
import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers of tokens in OpenAI's forms. They are those of the whole run, its nested runs included. */
final class Counts {

    private Counts() {}

    /** Return those of a chat completion. */
    static Map<String, Object> ofChat(Usage usage) {
        return of(usage, "prompt", "completion");
    }

    /** Return those of a response. */
    static Map<String, Object> ofResponse(Usage usage) {
        return of(usage, "input", "output");
    }

    private static Map<String, Object> of(Usage usage, String in, String out) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(in + "_tokens", usage.inputTokens());
        fields.put(out + "_tokens", usage.outputTokens());
        fields.put("total_tokens", usage.totalTokens());
        fields.put( // what was written to a cache is not known; a client requires the number
                in + "_tokens_details", Map.of("cached_tokens", usage.cachedInputTokens(), "cache_write_tokens", 0));
        fields.put(out + "_tokens_details", Map.of("reasoning_tokens", usage.reasoningTokens()));
        return fields;
    }
}
