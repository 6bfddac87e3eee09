package dev.chargehand.testkit.provider.reply;

/**
 * Count the tokens a reply claims to have used.
 *
 * @param input prompt tokens, cached ones included
 * @param output completion tokens, reasoning ones included
 * @param cachedInput prompt tokens read from a cache
 * @param reasoning completion tokens spent on reasoning
 */
public record TokenUsage(long input, long output, long cachedInput, long reasoning) {

    /** Count tokens without a cached or a reasoning share. */
    public static TokenUsage of(long input, long output) {
        return new TokenUsage(input, output, 0, 0);
    }
}
