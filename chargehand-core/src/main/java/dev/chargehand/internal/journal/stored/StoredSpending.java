package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link Spending}. */
record StoredSpending(
        @JsonProperty("modelCalls") int modelCalls,
        @JsonProperty("toolCalls") int toolCalls,
        @JsonProperty("outputCharacters") long outputCharacters,
        @JsonProperty("cost") BigDecimal cost,
        @JsonProperty("usageByAgent") Map<String, Tokens> usageByAgent) {

    /** The stored form of {@link Usage}. */
    record Tokens(
            @JsonProperty("inputTokens") long inputTokens,
            @JsonProperty("outputTokens") long outputTokens,
            @JsonProperty("cachedInputTokens") long cachedInputTokens,
            @JsonProperty("reasoningTokens") long reasoningTokens) {

        static Tokens of(Usage usage) {
            return new Tokens(
                    usage.inputTokens(), usage.outputTokens(), usage.cachedInputTokens(), usage.reasoningTokens());
        }

        Usage toUsage() {
            return new Usage(inputTokens, outputTokens, cachedInputTokens, reasoningTokens);
        }
    }

    static StoredSpending of(Spending spending) {
        Map<String, Tokens> usage =
                LinkedHashMap.newLinkedHashMap(spending.usageByAgent().size());
        spending.usageByAgent().forEach((agent, tokens) -> usage.put(agent, Tokens.of(tokens)));
        return new StoredSpending(
                spending.modelCalls(), spending.toolCalls(), spending.outputCharacters(), spending.cost(), usage);
    }

    /** Return the form, or null of nothing. */
    static @Nullable StoredSpending ofNullable(Spending spending) {
        return spending.isNothing() ? null : of(spending);
    }

    static Spending orNothing(@Nullable StoredSpending spending) {
        return spending == null ? Spending.NOTHING : spending.toSpending();
    }

    Spending toSpending() {
        Map<String, Usage> usage = new HashMap<>();
        usageByAgent.forEach((agent, tokens) -> usage.put(agent, tokens.toUsage()));
        return new Spending(modelCalls, toolCalls, outputCharacters, cost, usage);
    }
}
