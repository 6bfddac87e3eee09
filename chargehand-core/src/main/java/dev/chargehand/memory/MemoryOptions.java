package dev.chargehand.memory;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What one run changes about the memory of its agent. Immutable and thread-safe. */
public final class MemoryOptions {

    /** The agent's memory as it is. */
    public static final MemoryOptions DEFAULT = new MemoryOptions(false, null, null, true, RecallOptions.DEFAULT);

    private final boolean isReadOnly;
    private final @Nullable Integer lastMessages;
    private final @Nullable Integer historyTokens;
    private final boolean recalls;
    private final RecallOptions recall;

    private MemoryOptions(
            boolean isReadOnly,
            @Nullable Integer lastMessages,
            @Nullable Integer historyTokens,
            boolean recalls,
            RecallOptions recall) {
        this.isReadOnly = isReadOnly;
        this.lastMessages = lastMessages;
        this.historyTokens = historyTokens;
        this.recalls = recalls;
        this.recall = recall;
    }

    /**
     * Return these options for a run that reads its thread and its memory and changes neither: its messages are not
     * added to the thread, and it has no tool that changes memory and no background tasks.
     */
    @CheckReturnValue
    public MemoryOptions readOnly() {
        return new MemoryOptions(true, lastMessages, historyTokens, recalls, recall);
    }

    /**
     * Return these options with another number of last messages.
     *
     * @param count from 0
     * @throws ConfigurationException if it is negative
     */
    @CheckReturnValue
    public MemoryOptions lastMessages(int count) {
        if (count < 0) {
            throw new ConfigurationException("lastMessages must not be negative, but is " + count + ".");
        }
        return new MemoryOptions(isReadOnly, count, historyTokens, recalls, recall);
    }

    /**
     * Return these options with another number of tokens of the thread; see {@link Memory.Builder#historyTokens}.
     *
     * @param tokens above zero
     * @throws ConfigurationException if it is not
     */
    @CheckReturnValue
    public MemoryOptions historyTokens(int tokens) {
        return new MemoryOptions(isReadOnly, lastMessages, requireTokens(tokens), recalls, recall);
    }

    static int requireTokens(int tokens) {
        if (tokens < 1) {
            throw new ConfigurationException("historyTokens must be at least 1, but is " + tokens + ".");
        }
        return tokens;
    }

    /** Return these options for a run that does not search for earlier messages. */
    @CheckReturnValue
    public MemoryOptions withoutSemanticRecall() {
        return new MemoryOptions(isReadOnly, lastMessages, historyTokens, false, recall);
    }

    /** Return these options for a run that searches in another way; without effect if its agent does not search. */
    @CheckReturnValue
    public MemoryOptions semanticRecall(UnaryOperator<RecallOptions> change) {
        RecallOptions changed = Given.value(
                "semanticRecall", Given.value("semanticRecall", change).apply(recall));
        return new MemoryOptions(isReadOnly, lastMessages, historyTokens, recalls, changed);
    }

    /** Return whether the run changes neither its thread nor its memory. */
    public boolean isReadOnly() {
        return isReadOnly;
    }

    /** Return how many last messages the run sees, if it is another number than its agent's. */
    public OptionalInt lastMessages() {
        return lastMessages == null ? OptionalInt.empty() : OptionalInt.of(lastMessages);
    }

    /** Return how many tokens of the thread the run sees at most, if it is another number than its agent's. */
    public OptionalInt historyTokens() {
        return historyTokens == null ? OptionalInt.empty() : OptionalInt.of(historyTokens);
    }

    /** Return whether the run searches for earlier messages, if its agent does. */
    public boolean recalls() {
        return recalls;
    }

    /** Return how the run searches for earlier messages in another way than its agent. */
    public RecallOptions recall() {
        return recall;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemoryOptions that
                && isReadOnly == that.isReadOnly
                && Objects.equals(lastMessages, that.lastMessages)
                && Objects.equals(historyTokens, that.historyTokens)
                && recalls == that.recalls
                && recall.equals(that.recall);
    }

    @Override
    public int hashCode() {
        return Objects.hash(isReadOnly, lastMessages, historyTokens, recalls, recall);
    }

    @Override
    public String toString() {
        return "MemoryOptions[readOnly=" + isReadOnly + ", lastMessages=" + lastMessages + ", historyTokens="
                + historyTokens + ", semanticRecall=" + recalls + ", recall=" + recall + "]";
    }
}
