package dev.chargehand.internal.fact;

import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a run and its finished descendants have used.
 *
 * @param modelCalls attempts at model calls
 * @param toolCalls tool calls and delegations that were passed
 * @param outputCharacters characters that models wrote
 * @param cost by the prices of the run
 * @param usageByAgent tokens, by agent id
 */
public record Spending(
        int modelCalls, int toolCalls, long outputCharacters, BigDecimal cost, Map<String, Usage> usageByAgent) {

    /** Under what the tokens of judges are counted; no agent's id looks like it. */
    public static final String SCORERS = "scorers:";

    /** Under what the tokens of structuring models are counted. */
    public static final String STRUCTURING = "structuring:";

    /** Under what the tokens of processors' judges are counted. */
    public static final String PROCESSORS = "processors:";

    /** Under what the tokens of memory are counted: those of embedding models. */
    public static final String MEMORY = "memory:";

    /** Under what the tokens of models are counted that read answers to questions in the messages of a conversation. */
    public static final String ANSWERS = "answers:";

    /** Nothing yet. */
    public static final Spending NOTHING = new Spending(0, 0, 0, BigDecimal.ZERO, Map.of());

    public Spending {
        Objects.requireNonNull(cost, "cost");
        usageByAgent = Map.copyOf(usageByAgent);
    }

    /** Return what attempts at model calls use that gave no answer. */
    public static Spending onAttempts(int attempts) {
        return attempts == 0 ? NOTHING : new Spending(attempts, 0, 0, BigDecimal.ZERO, Map.of());
    }

    /** Return the sum of both. */
    public Spending plus(Spending other) {
        if (other.isNothing()) {
            return this;
        }
        if (isNothing()) {
            return other;
        }
        Map<String, Usage> sum = new HashMap<>(usageByAgent);
        for (Map.Entry<String, Usage> each : other.usageByAgent.entrySet()) {
            sum.merge(each.getKey(), each.getValue(), Usage::plus);
        }
        return new Spending(
                modelCalls + other.modelCalls,
                toolCalls + other.toolCalls,
                outputCharacters + other.outputCharacters,
                cost.add(other.cost),
                sum);
    }

    /** Return whether nothing was used. */
    public boolean isNothing() {
        return modelCalls == 0
                && toolCalls == 0
                && outputCharacters == 0
                && usageByAgent.isEmpty()
                && cost.signum() == 0;
    }

    /** Return this with one more tool call. */
    public Spending plusToolCall() {
        return new Spending(modelCalls, toolCalls + 1, outputCharacters, cost, usageByAgent);
    }

    /** Return the tokens of one agent. */
    public Usage usageOf(String agentId) {
        return usageByAgent.getOrDefault(agentId, Usage.NONE);
    }

    /** Return the tokens of all agents together. */
    public Usage totalUsage() {
        Usage total = Usage.NONE;
        for (Usage usage : usageByAgent.values()) {
            total = total.plus(usage);
        }
        return total;
    }
}
