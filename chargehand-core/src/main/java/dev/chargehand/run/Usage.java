package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;

/**
 * Numbers of tokens, as providers report them.
 *
 * <p>No count is below zero: a negative one becomes zero. A sum that no long can hold is {@link Long#MAX_VALUE}, so
 * that it spends any budget.
 *
 * @param inputTokens tokens of the request, cached ones included
 * @param outputTokens tokens of the answer, reasoning included
 * @param cachedInputTokens tokens of the request that the provider had cached
 * @param reasoningTokens tokens of the answer that were reasoning
 */
public record Usage(long inputTokens, long outputTokens, long cachedInputTokens, long reasoningTokens) {

    /** No tokens at all. */
    public static final Usage NONE = new Usage(0, 0, 0, 0);

    public Usage {
        inputTokens = Math.max(0, inputTokens);
        outputTokens = Math.max(0, outputTokens);
        cachedInputTokens = Math.max(0, cachedInputTokens);
        reasoningTokens = Math.max(0, reasoningTokens);
    }

    /** Make a usage of input and output tokens only. */
    public static Usage of(long inputTokens, long outputTokens) {
        return new Usage(inputTokens, outputTokens, 0, 0);
    }

    /** Return the sum of both. */
    @CheckReturnValue
    public Usage plus(Usage other) {
        return new Usage(
                sum(inputTokens, other.inputTokens),
                sum(outputTokens, other.outputTokens),
                sum(cachedInputTokens, other.cachedInputTokens),
                sum(reasoningTokens, other.reasoningTokens));
    }

    /** Return input and output tokens together. */
    public long totalTokens() {
        return sum(inputTokens, outputTokens);
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
}
