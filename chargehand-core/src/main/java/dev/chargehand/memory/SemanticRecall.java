package dev.chargehand.memory;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.ModelChoice;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run finds earlier messages by their meaning. Immutable and thread-safe.
 *
 * <p>What a user says and what the agent answers is split into passages, which an embedding model turns into vectors after
 * the run. A run embeds the newest text of its user, once, and sees the messages with the nearest vectors, with the
 * messages around them. An embedding model that fails or takes longer than 2 seconds leaves them out.
 */
public final class SemanticRecall {

    private static final int MOST_HITS = 50;
    private static final int WIDEST_RANGE = 20;

    private final @Nullable String modelName;
    private final @Nullable EmbeddingModel model;
    private final int topK;
    private final int before;
    private final int after;
    private final Scope scope;
    private final double threshold;
    private final boolean toolResults;

    private SemanticRecall(Builder from) {
        this.modelName = from.name;
        this.model = from.model;
        this.topK = from.topK;
        this.before = from.before;
        this.after = from.after;
        this.scope = from.scope;
        this.threshold = from.threshold;
        this.toolResults = from.toolResults;
    }

    /** Return this recall as a run changes it. */
    @CheckReturnValue
    public SemanticRecall with(RecallOptions run) {
        Builder changed = new Builder();
        changed.name = modelName;
        changed.model = model;
        changed.topK = run.topK() == null ? topK : run.topK();
        changed.before = run.messagesBefore() == null ? before : run.messagesBefore();
        changed.after = run.messagesAfter() == null ? after : run.messagesAfter();
        changed.scope = run.scope() == null ? scope : run.scope();
        changed.threshold = run.threshold() == null ? threshold : run.threshold();
        changed.toolResults = toolResults;
        return new SemanticRecall(changed);
    }

    /** Return the name of the embedding model, or nothing if it is the runtime's. */
    public Optional<String> modelName() {
        return Optional.ofNullable(modelName);
    }

    /** Return the embedding model, if it was given as an object; else the runtime's providers make it of its name. */
    public Optional<EmbeddingModel> model() {
        return Optional.ofNullable(model);
    }

    /** Return how many messages are found at most. */
    public int topK() {
        return topK;
    }

    /** Return how many messages before a found one are recalled with it. */
    public int messagesBefore() {
        return before;
    }

    /** Return how many messages after a found one are recalled with it. */
    public int messagesAfter() {
        return after;
    }

    /** Return which conversations are searched. */
    public Scope scope() {
        return scope;
    }

    /** Return the least similarity of a message that is found. */
    public double threshold() {
        return threshold;
    }

    /** Return whether results of tools are found too. */
    public boolean toolResults() {
        return toolResults;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SemanticRecall that
                && Objects.equals(modelName, that.modelName)
                && Objects.equals(model, that.model)
                && topK == that.topK
                && before == that.before
                && after == that.after
                && scope == that.scope
                && Double.compare(threshold, that.threshold) == 0
                && toolResults == that.toolResults;
    }

    @Override
    public int hashCode() {
        return Objects.hash(modelName, model, topK, before, after, scope, threshold, toolResults);
    }

    @Override
    public String toString() {
        return "SemanticRecall[by=" + modelName().orElse("the runtime's") + ", topK=" + topK + ", messageRange="
                + before + "," + after + ", scope=" + scope + ", threshold=" + threshold + ", toolResults="
                + toolResults + "]";
    }

    /** Collects the settings. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private @Nullable String name;
        private @Nullable EmbeddingModel model;
        private int topK = 4;
        private int before = 1;
        private int after = 1;
        private Scope scope = Scope.RESOURCE;
        private double threshold;
        private boolean toolResults;

        Builder() {}

        /**
         * Set the embedding model by name, such as {@code openai/text-embedding-3-small}; default the runtime's.
         *
         * @throws ConfigurationException if the name has not the form {@code provider/model}
         */
        public Builder by(String modelName) {
            this.name = new ModelChoice.Candidate.Named(Given.value("semanticRecall: the embedding model", modelName))
                    .name();
            this.model = null;
            return this;
        }

        /** Set the embedding model; default the runtime's, and a run fails if that has none. */
        public Builder by(EmbeddingModel given) {
            this.name = Given.value(
                    "semanticRecall: the name of the embedding model",
                    Given.value("semanticRecall: the embedding model", given).name());
            this.model = given;
            return this;
        }

        /**
         * Set how many messages are found at most, from 1 to 50; default 4.
         *
         * @throws ConfigurationException if it is another number
         */
        public Builder topK(int count) {
            this.topK = within("topK", count, 1, MOST_HITS);
            return this;
        }

        /**
         * Set how many messages before and after a found one are recalled with it, from 0 to 20 each; default 1 and 1.
         *
         * @throws ConfigurationException if one is another number
         */
        public Builder messageRange(int messagesBefore, int messagesAfter) {
            this.before = within("messageRange", messagesBefore, 0, WIDEST_RANGE);
            this.after = within("messageRange", messagesAfter, 0, WIDEST_RANGE);
            return this;
        }

        /** Set which conversations are searched; default {@link Scope#RESOURCE}. */
        public Builder scope(Scope value) {
            this.scope = Given.value("semanticRecall: scope", value);
            return this;
        }

        /**
         * Set the least similarity of a message that is found, from -1 to 1; default 0.
         *
         * @throws ConfigurationException if it is another number
         */
        public Builder threshold(double value) {
            if (!(value >= -1 && value <= 1)) {
                throw new ConfigurationException(
                        "semanticRecall: threshold is a similarity from -1 to 1, not " + value + ".");
            }
            this.threshold = value;
            return this;
        }

        /**
         * Find results of tools and of sub-agents too; default: only what users say and what the agent answers. Results of
         * calls that failed are not found, and none of the tools of the memory itself. The model sees a found result as data
         * under the name of its tool. Vectors with and without results are never compared: after a change of this setting
         * the messages are embedded again, the newest first.
         */
        public Builder alsoToolResults() {
            this.toolResults = true;
            return this;
        }

        private static int within(String what, int value, int least, int most) {
            if (value < least || value > most) {
                throw new ConfigurationException("semanticRecall: " + what + " is a number from " + least + " to "
                        + most + ", not " + value + ".");
            }
            return value;
        }

        SemanticRecall build() {
            return new SemanticRecall(this);
        }
    }
}
