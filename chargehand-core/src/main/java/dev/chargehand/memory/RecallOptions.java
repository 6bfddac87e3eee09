package dev.chargehand.memory;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What one run changes about the semantic recall of its agent; null values leave what the agent has. All runs of an agent
 * have the same embedding model, and embed the same.
 *
 * @param topK how many messages are found at most, from 1 to 50
 * @param messagesBefore how many messages before a found one are recalled with it, from 0 to 20
 * @param messagesAfter how many messages after it, from 0 to 20
 * @param scope which conversations are searched
 * @param threshold the least similarity of a message that is found, from -1 to 1
 */
public record RecallOptions(
        @Nullable Integer topK,
        @Nullable Integer messagesBefore,
        @Nullable Integer messagesAfter,
        @Nullable Scope scope,
        @Nullable Double threshold) {

    /** Leaves everything as the agent has it. */
    public static final RecallOptions DEFAULT = new RecallOptions(null, null, null, null, null);

    /**
     * Make the options.
     *
     * @throws ConfigurationException if a number is not within its bounds
     */
    public RecallOptions {
        SemanticRecall.Builder checked = new SemanticRecall.Builder();
        if (topK != null) {
            checked.topK(topK);
        }
        checked.messageRange(messagesBefore == null ? 0 : messagesBefore, messagesAfter == null ? 0 : messagesAfter);
        if (threshold != null) {
            checked.threshold(threshold);
        }
    }

    /** Return these options with another number of messages that are found at most. */
    @CheckReturnValue
    public RecallOptions topK(int count) {
        return new RecallOptions(count, messagesBefore, messagesAfter, scope, threshold);
    }

    /** Return these options with other numbers of messages around each found one. */
    @CheckReturnValue
    public RecallOptions messageRange(int before, int after) {
        return new RecallOptions(topK, before, after, scope, threshold);
    }

    /** Return these options for a search of other conversations. */
    @CheckReturnValue
    public RecallOptions scope(Scope value) {
        return new RecallOptions(
                topK, messagesBefore, messagesAfter, Given.value("semanticRecall: scope", value), threshold);
    }

    /** Return these options with another least similarity. */
    @CheckReturnValue
    public RecallOptions threshold(double value) {
        return new RecallOptions(topK, messagesBefore, messagesAfter, scope, value);
    }
}
