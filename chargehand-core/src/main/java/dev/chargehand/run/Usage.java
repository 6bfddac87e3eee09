package dev.chargehand.run;

/**
 * Counts tokens, as providers report them.
 *
 * @param inputTokens tokens of the request, cached ones included
 * @param outputTokens tokens of the answer, reasoning included
 * @param cachedInputTokens tokens of the request that the provider had cached
 * @param reasoningTokens tokens of the answer that were reasoning
 */
public record Usage(long inputTokens, long outputTokens, long cachedInputTokens, long reasoningTokens) {

    /** No tokens at all. */
    public static final Usage NONE = new Usage(0, 0, 0, 0);

    /** Makes a usage of input and output tokens only. */
    public static Usage of(long inputTokens, long outputTokens) {
        return new Usage(inputTokens, outputTokens, 0, 0);
    }

    /** Returns the sum of both. */
    public Usage plus(Usage other) {
        return new Usage(
                inputTokens + other.inputTokens,
                outputTokens + other.outputTokens,
                cachedInputTokens + other.cachedInputTokens,
                reasoningTokens + other.reasoningTokens);
    }

    /** Returns input and output tokens together. */
    public long totalTokens() {
        return inputTokens + outputTokens;
    }
}
