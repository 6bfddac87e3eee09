package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.Usage;
import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers of tokens with the names of the AI SDK. They are those of the whole run, its nested runs included. */
final class TokenCounts {

    private TokenCounts() {}

    /** Return the numbers. */
    static Map<String, Object> of(Usage usage) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("inputTokens", usage.inputTokens());
        fields.put("outputTokens", usage.outputTokens());
        fields.put("totalTokens", usage.totalTokens());
        fields.put("inputTokenDetails", Map.of("cacheReadTokens", usage.cachedInputTokens()));
        fields.put("outputTokenDetails", Map.of("reasoningTokens", usage.reasoningTokens()));
        return fields;
    }

    /** Return the metadata of the message of a run that has ended. */
    static Map<String, Object> metadata(RunEvent.RunFinish finish) {
        return Map.of(
                "runId", finish.runId().value(),
                "stopReason", finish.stopReason().code(),
                "totalTokens", finish.totalUsage().totalTokens(),
                "usage", of(finish.totalUsage()));
    }
}
