package dev.chargehand.memory;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelSettings;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a model writes observations of the older messages of a thread, which later runs see in place of those messages. Immutable
 * and thread-safe.
 *
 * <p>After a run whose thread has more than {@link #messageTokens} that were not observed, a model, the observer, writes what is
 * worth remembering of all but the newest of them. A run that finds a fifth more than that, or gets there, has them observed before
 * its next step, within 60 seconds. If the observations have more than {@link #observationTokens}, a model, the reflector,
 * writes a shorter text that stands for all of them. A run sees each message as it is or through an observation.
 *
 * <p>Tokens are estimated, one for every four characters. A model that fails is called again after 1, 4, 15 and then every 60
 * minutes, and after the next run that leaves too many messages.
 */
public final class Observations {

    private static final int LEAST_TOKENS = 100;
    private static final int LONGEST_INSTRUCTIONS = 10_000;

    private final ModelChoice model;
    private final ModelChoice reflector;
    private final ModelSettings modelSettings;
    private final @Nullable String instructions;
    private final Scope scope;
    private final int messageTokens;
    private final int observationTokens;
    private final boolean recallTool;

    private Observations(Builder from, ModelChoice model) {
        this.model = model;
        this.reflector = from.reflector == null ? model : from.reflector;
        this.modelSettings = from.modelSettings;
        this.instructions = from.instructions;
        this.scope = from.scope;
        this.messageTokens = from.messageTokens;
        this.observationTokens = from.observationTokens;
        this.recallTool = from.recallTool;
    }

    /** Return the model that writes observations. */
    public ModelChoice model() {
        return model;
    }

    /** Return the model that shortens them. */
    public ModelChoice reflector() {
        return reflector;
    }

    /** Return the settings of both models. */
    public ModelSettings modelSettings() {
        return modelSettings;
    }

    /** Return what is worth remembering, if it is not the default. */
    public Optional<String> instructions() {
        return Optional.ofNullable(instructions);
    }

    /** Return whose observations a run sees. */
    public Scope scope() {
        return scope;
    }

    /** Return how many tokens of messages a thread has before they are observed. */
    public int messageTokens() {
        return messageTokens;
    }

    /** Return how many tokens the observations of a thread have before they are shortened. */
    public int observationTokens() {
        return observationTokens;
    }

    /** Return whether runs have the tool {@code recall}, which reads the messages behind observations. */
    public boolean recallTool() {
        return recallTool;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Observations that
                && model.equals(that.model)
                && reflector.equals(that.reflector)
                && modelSettings.equals(that.modelSettings)
                && Objects.equals(instructions, that.instructions)
                && scope == that.scope
                && messageTokens == that.messageTokens
                && observationTokens == that.observationTokens
                && recallTool == that.recallTool;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                model, reflector, modelSettings, instructions, scope, messageTokens, observationTokens, recallTool);
    }

    @Override
    public String toString() {
        return "Observations[model=" + model + ", reflector=" + reflector + ", scope=" + scope + ", messageTokens="
                + messageTokens + ", observationTokens=" + observationTokens + ", recallTool=" + recallTool + "]";
    }

    /** Collects the settings. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private @Nullable ModelChoice model;
        private @Nullable ModelChoice reflector;
        private ModelSettings modelSettings = ModelSettings.DEFAULT;
        private @Nullable String instructions;
        private Scope scope = Scope.THREAD;
        private int messageTokens = 30_000;
        private int observationTokens = 40_000;
        private boolean recallTool;

        Builder() {}

        /**
         * Set the model that writes observations by name, such as {@code openai/gpt-5-nano}. There is no default. It shortens them
         * too, unless {@link #reflector(String)} names another one.
         *
         * @throws ConfigurationException if it is not named provider/name
         */
        public Builder model(String modelName) {
            this.model = ModelChoice.of(Given.value("observations: the model", modelName));
            return this;
        }

        /** Set the model that writes observations. There is no default. */
        public Builder model(Model given) {
            this.model = ModelChoice.of(Given.value("observations: the model", given));
            return this;
        }

        /**
         * Set the model that shortens observations by name; default: the model that writes them.
         *
         * @throws ConfigurationException if it is not named provider/name
         */
        public Builder reflector(String modelName) {
            this.reflector = ModelChoice.of(Given.value("observations: the reflector", modelName));
            return this;
        }

        /** Set the model that shortens observations; default: the model that writes them. */
        public Builder reflector(Model given) {
            this.reflector = ModelChoice.of(Given.value("observations: the reflector", given));
            return this;
        }

        /** Set the settings of both models, such as a temperature; default: those of the providers. */
        public Builder modelSettings(ModelSettings settings) {
            this.modelSettings = Given.value("observations: the settings of the models", settings)
                    .requireValid();
            return this;
        }

        /**
         * Set what is worth remembering. The models are in addition instructed to take the conversation as data, and to answer with
         * the observations only. Default: facts about the user, decisions, preferences, open tasks and results.
         *
         * @param text 1 to 10,000 characters
         * @throws ConfigurationException if it is blank or longer
         */
        public Builder instructions(String text) {
            if (Given.value("observations: the instructions", text).isBlank() || text.length() > LONGEST_INSTRUCTIONS) {
                throw new ConfigurationException("observations: instructions have 1 to " + LONGEST_INSTRUCTIONS
                        + " characters that are not all blank.");
            }
            this.instructions = text;
            return this;
        }

        /**
         * Set whose observations a run sees: those of its thread, which is the default, or in addition those of the other threads of
         * its resource, whose tasks the model is instructed not to continue. {@link Scope#RESOURCE} needs a resource.
         */
        public Builder scope(Scope value) {
            this.scope = Given.value("observations: scope", value);
            return this;
        }

        /**
         * Set how many tokens of messages a thread has before they are observed, from 100; default 30,000.
         *
         * @throws ConfigurationException if there are fewer
         */
        public Builder messageTokens(int tokens) {
            this.messageTokens = atLeast("messageTokens", tokens);
            return this;
        }

        /**
         * Set how many tokens the observations of a thread have before they are shortened to at most half, from 100; default 40,000.
         *
         * @throws ConfigurationException if there are fewer
         */
        public Builder observationTokens(int tokens) {
            this.observationTokens = atLeast("observationTokens", tokens);
            return this;
        }

        /** Give runs the tool {@code recall}, which reads the messages behind observations; default: off. */
        public Builder recallTool() {
            this.recallTool = true;
            return this;
        }

        private static int atLeast(String what, int tokens) {
            if (tokens < LEAST_TOKENS) {
                throw new ConfigurationException(
                        "observations: " + what + " is a number from " + LEAST_TOKENS + ", not " + tokens + ".");
            }
            return tokens;
        }

        Observations build() {
            if (model == null) {
                throw new ConfigurationException(
                        "observations needs a model, for example observations(o -> o.model(\"openai/gpt-5-nano\")).");
            }
            return new Observations(this, model);
        }
    }
}
