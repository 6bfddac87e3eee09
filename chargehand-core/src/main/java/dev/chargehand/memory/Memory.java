package dev.chargehand.memory;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.Model;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an agent remembers when it runs on a thread. Without a thread, a run remembers nothing.
 *
 * <pre>{@code
 * Agent.builder("assistant")
 *     .model("openai/gpt-5-mini")
 *     .memory(m -> m.lastMessages(20).semanticRecall(r -> r.by("openai/text-embedding-3-small")))
 *     .build();
 * }</pre>
 *
 * <p>Immutable and thread-safe. A sub-agent has only the memory of its own definition, on its own threads.
 */
public final class Memory {

    /** The last 10 messages of the thread, and nothing else. */
    public static final Memory DEFAULT = new Memory(new Builder());

    private static final int LAST_MESSAGES = 10;

    private final @Nullable Integer lastMessages;
    private final @Nullable Integer historyTokens;
    private final @Nullable SemanticRecall semanticRecall;
    private final @Nullable WorkingMemory workingMemory;
    private final @Nullable Observations observations;
    private final @Nullable ThreadTitles title;
    private final @Nullable Ancestor readsWorkingMemoryOf;
    private final @Nullable Long dailyTokens;

    private Memory(Builder from) {
        this.lastMessages = from.lastMessages;
        this.historyTokens = from.historyTokens;
        this.semanticRecall = from.semanticRecall;
        this.workingMemory = from.workingMemory;
        this.observations = from.observations;
        this.title = from.title;
        this.readsWorkingMemoryOf = from.readsWorkingMemoryOf;
        this.dailyTokens = from.dailyTokens;
    }

    /** Return a builder, with everything at its default. */
    public static Builder builder() {
        return new Builder();
    }

    /** Return a builder that starts with what this has. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.lastMessages = lastMessages;
        builder.historyTokens = historyTokens;
        builder.semanticRecall = semanticRecall;
        builder.workingMemory = workingMemory;
        builder.observations = observations;
        builder.title = title;
        builder.readsWorkingMemoryOf = readsWorkingMemoryOf;
        builder.dailyTokens = dailyTokens;
        return builder;
    }

    /**
     * Return how many of the last messages of its thread a run sees. An agent with observations and without a number of
     * its own sees all that were not observed: {@link Integer#MAX_VALUE}.
     */
    public int lastMessages() {
        if (lastMessages != null) {
            return lastMessages;
        }
        return observations == null ? LAST_MESSAGES : Integer.MAX_VALUE;
    }

    /** Return how many tokens of its thread a run sees at most, if there is such a bound. */
    public OptionalInt historyTokens() {
        return historyTokens == null ? OptionalInt.empty() : OptionalInt.of(historyTokens);
    }

    /** Return how earlier messages are found by their meaning, if they are. */
    public Optional<SemanticRecall> semanticRecall() {
        return Optional.ofNullable(semanticRecall);
    }

    /** Return which text the agent keeps up to date, if it keeps one. */
    public Optional<WorkingMemory> workingMemory() {
        return Optional.ofNullable(workingMemory);
    }

    /** Return how a model writes observations of older messages, if one does. */
    public Optional<Observations> observations() {
        return Optional.ofNullable(observations);
    }

    /** Return how a model writes the titles of conversations, if one does. */
    public Optional<ThreadTitles> title() {
        return Optional.ofNullable(title);
    }

    /** Return whose working memory it sees as a sub-agent, in addition to its own; empty for no other. */
    public Optional<Ancestor> readsWorkingMemoryOf() {
        return Optional.ofNullable(readsWorkingMemoryOf);
    }

    /** Return how many tokens the work after runs may use on a day for a resource, if there is such a bound. */
    public OptionalLong dailyTokens() {
        return dailyTokens == null ? OptionalLong.empty() : OptionalLong.of(dailyTokens);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Memory that
                && Objects.equals(lastMessages, that.lastMessages)
                && Objects.equals(historyTokens, that.historyTokens)
                && Objects.equals(semanticRecall, that.semanticRecall)
                && Objects.equals(workingMemory, that.workingMemory)
                && Objects.equals(observations, that.observations)
                && Objects.equals(title, that.title)
                && readsWorkingMemoryOf == that.readsWorkingMemoryOf
                && Objects.equals(dailyTokens, that.dailyTokens);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                lastMessages,
                historyTokens,
                semanticRecall,
                workingMemory,
                observations,
                title,
                readsWorkingMemoryOf,
                dailyTokens);
    }

    @Override
    public String toString() {
        return "Memory[lastMessages=" + lastMessages() + ", historyTokens=" + historyTokens + ", semanticRecall="
                + semanticRecall + ", workingMemory=" + workingMemory + ", observations=" + observations + ", title="
                + title + ", readsWorkingMemoryOf=" + readsWorkingMemoryOf + ", dailyTokens=" + dailyTokens + "]";
    }

    /** Collects the parts of a memory. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private @Nullable Integer lastMessages;
        private @Nullable Integer historyTokens;
        private @Nullable SemanticRecall semanticRecall;
        private @Nullable WorkingMemory workingMemory;
        private @Nullable Observations observations;
        private @Nullable ThreadTitles title;
        private @Nullable Ancestor readsWorkingMemoryOf;
        private @Nullable Long dailyTokens;

        private Builder() {}

        /**
         * Set how many of the last messages of its thread a run sees, from 0; default 10, or with {@link #observations} all that were
         * not observed.
         *
         * @throws ConfigurationException if it is negative
         */
        public Builder lastMessages(int count) {
            if (count < 0) {
                throw new ConfigurationException("lastMessages must not be negative, but is " + count + ".");
            }
            this.lastMessages = count;
            return this;
        }

        /**
         * Set how many tokens of its thread a run sees at most, in addition to {@link #lastMessages}, which is to be large
         * then; default: no bound. If there are more, the oldest messages are left out until 75 % are left, and so they are
         * in later runs: the start of a prompt stays the same for many turns, and a provider finds it in its cache.
         * A tool call and its result stay together. Tokens are estimated as {@link
         * dev.chargehand.processor.TokenLimiter#estimate} does.
         *
         * @throws ConfigurationException if it is not above zero
         */
        public Builder historyTokens(int tokens) {
            this.historyTokens = MemoryOptions.requireTokens(tokens);
            return this;
        }

        /**
         * Find earlier messages that have to do with the user's newest one, by the meaning of both. Default: off.
         *
         * @throws ConfigurationException if no embedding model is set
         */
        public Builder semanticRecall(Consumer<SemanticRecall.Builder> settings) {
            SemanticRecall.Builder builder = new SemanticRecall.Builder();
            Given.value("semanticRecall", settings).accept(builder);
            this.semanticRecall = builder.build();
            return this;
        }

        /** Have the agent keep a text about the user or the conversation up to date. Default: off. */
        public Builder workingMemory(WorkingMemory settings) {
            this.workingMemory = Given.value("workingMemory", settings);
            return this;
        }

        /**
         * Have a model write observations of older messages, which later runs see in place of those. Default: off.
         *
         * @throws ConfigurationException if no model is set
         */
        public Builder observations(Consumer<Observations.Builder> settings) {
            Observations.Builder builder = new Observations.Builder();
            Given.value("observations", settings).accept(builder);
            this.observations = builder.build();
            return this;
        }

        /**
         * Have a model write the title of a conversation after its first answer. Default: off, so that the title is the
         * first words of the user.
         *
         * @param modelName such as {@code openai/gpt-5-nano}
         * @throws ConfigurationException if it is not named provider/name
         */
        public Builder title(String modelName) {
            return title(ThreadTitles.by(modelName));
        }

        /** Have a model write the title of a conversation after its first answer. Default: off. */
        public Builder title(Model model) {
            return title(ThreadTitles.by(model));
        }

        /** Have a model write the title of a conversation after its first answer, with own instructions. Default: off. */
        public Builder title(ThreadTitles settings) {
            this.title = Given.value("title", settings);
            return this;
        }

        /**
         * Have a sub-agent see the working memory of a run above it, as it is when its own run starts. It cannot change it, and
         * sees nothing else of that run's memory. In a run of its own, and below an agent without a working memory, it has no
         * effect. Default: no other working memory.
         */
        public Builder readsWorkingMemoryOf(Ancestor ancestor) {
            this.readsWorkingMemoryOf = Given.value("readsWorkingMemoryOf", ancestor);
            return this;
        }

        /**
         * Set how many tokens models may use on a day, in UTC, for the memory of one resource after its runs; default: no bound.
         * When they are spent, no model is called for that, and the work waits until the day is over; runs are not affected.
         * All that {@link MemoryApi#usage} returns of the day counts, of every agent. Answers to calls that had started before are used
         * and counted, so a day may use more. A provider that reports no tokens uses none of them.
         *
         * @throws ConfigurationException if it is not above zero
         */
        public Builder dailyTokens(long tokens) {
            if (tokens < 1) {
                throw new ConfigurationException("dailyTokens must be at least 1, but is " + tokens
                        + "; leave it out for no bound, or leave the parts of the memory out that use tokens.");
            }
            this.dailyTokens = tokens;
            return this;
        }

        /** Build the memory. */
        public Memory build() {
            return new Memory(this);
        }
    }
}
