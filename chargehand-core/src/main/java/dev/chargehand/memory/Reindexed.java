package dev.chargehand.memory;

import dev.chargehand.run.Usage;

/**
 * What was embedded when conversations were indexed again.
 *
 * @param threads in how many conversations all messages can be found now
 * @param messages how many messages were looked at for that; those that had their vectors before are not among them
 * @param left how many conversations were left out because another process works on their memory: call it again for them
 * @param usage the tokens that the embedding model used
 */
public record Reindexed(long threads, long messages, long left, Usage usage) {

    /** Return whether no conversation was left out. */
    public boolean isComplete() {
        return left == 0;
    }
}
