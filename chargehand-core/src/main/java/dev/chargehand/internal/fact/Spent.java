package dev.chargehand.internal.fact;

import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a run and its finished descendants have used up.
 *
 * @param modelCalls attempts at model calls
 * @param toolCalls tool calls and delegations that were let through
 * @param outputCharacters characters that models wrote
 * @param cost by the prices of the run
 * @param usageByAgent tokens, by agent id
 */
public record Spent(
        int modelCalls, int toolCalls, long outputCharacters, BigDecimal cost, Map<String, Usage> usageByAgent) {

    /** Under what the tokens of judges are counted; no agent's id looks like it. */
    public static final String SCORERS = "scorers:";

    /** Under what the tokens of structuring models are counted. */
    public static final String STRUCTURING = "structuring:";

    /** Under what the tokens of processors' judges are counted. */
    public static final String PROCESSORS = "processors:";

    /** Nothing yet. */
    public static final Spent NOTHING = new Spent(0, 0, 0, BigDecimal.ZERO, Map.of());

    public Spent {
        Objects.requireNonNull(cost, "cost");
        usageByAgent = Map.copyOf(usageByAgent);
    }

    /** Returns what attempts at model calls use up that gave no answer. */
    public static Spent onAttempts(int attempts) {
        return attempts == 0 ? NOTHING : new Spent(attempts, 0, 0, BigDecimal.ZERO, Map.of());
    }

    /** Returns the sum of both. */
    public Spent plus(Spent other) {
        if (other.equals(NOTHING)) {
            return this;
        }
        if (equals(NOTHING)) {
            return other;
        }
        Map<String, Usage> sum = new HashMap<>(usageByAgent);
        other.usageByAgent.forEach((agent, usage) -> sum.merge(agent, usage, Usage::plus));
        return new Spent(
                modelCalls + other.modelCalls,
                toolCalls + other.toolCalls,
                outputCharacters + other.outputCharacters,
                cost.add(other.cost),
                sum);
    }

    /** Returns this with one more tool call. */
    public Spent plusToolCall() {
        return new Spent(modelCalls, toolCalls + 1, outputCharacters, cost, usageByAgent);
    }

    /** Returns the tokens of one agent. */
    public Usage usageOf(String agentId) {
        return usageByAgent.getOrDefault(agentId, Usage.NONE);
    }

    /** Returns the tokens of all agents together. */
    public Usage totalUsage() {
        return usageByAgent.values().stream().reduce(Usage.NONE, Usage::plus);
    }
}
