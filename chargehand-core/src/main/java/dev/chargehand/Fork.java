package dev.chargehand;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a fork relative to its source run; see {@link AgentRuntime#fork}.
 *
 * @param agent the agent that continues, or null for the agent of the old run
 * @param models the names of the models that are called in place of the agent's own, or null for none
 * @param input the input of the new run, or null for the input of the old one
 * @param said the messages after the copied steps
 * @param withoutHooks whether hooks that were given to the old run only may be missing
 * @param options changes the options of the old run
 */
public record Fork(
        @Nullable Agent agent,
        @Nullable List<String> models,
        @Nullable List<Message> input,
        List<Message> said,
        boolean withoutHooks,
        Consumer<RunOptions.Builder> options) {

    public Fork {
        models = models == null ? null : List.copyOf(models);
        input = input == null ? null : List.copyOf(input);
        said = List.copyOf(said);
    }

    static Fork with(Consumer<Builder> changes) {
        Builder builder = new Builder();
        changes.accept(builder);
        return builder.build();
    }

    /** Collects what a fork changes. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private @Nullable Agent agent;
        private @Nullable List<String> models;
        private @Nullable List<Message> input;
        private final List<Message> said = new ArrayList<>();
        private boolean withoutHooks;
        private Consumer<RunOptions.Builder> options = o -> {};

        private Builder() {}

        /** Let another agent continue; default the agent of the old run, as it is defined today. */
        public Builder agent(Agent value) {
            this.agent = value;
            return this;
        }

        /**
         * Ask another model than the agent's own, and fallbacks in order, by their names; default the agent's own, or
         * what the old run asked if it is a fork itself. Sub-agents keep theirs. Stored with the fork, which is why it
         * cannot be an object: give an agent that has such a model to {@link #agent}.
         *
         * @throws ConfigurationException if a name is not {@code provider/model}
         */
        public Builder model(String first, String... fallbacks) {
            List<String> names =
                    Stream.concat(Stream.of(first), Stream.of(fallbacks)).toList();
            ModelChoice.of(names); // refuses what is no name of a model
            this.models = names;
            return this;
        }

        /**
         * Replace the input of the run, before the copied steps; default the input of the old run.
         */
        public Builder input(String prompt) {
            return input(List.of(Message.user(prompt)));
        }

        /** Replace the input of the run; see {@link #input(String)}. */
        public Builder input(List<Message> messages) {
            this.input = List.copyOf(messages);
            return this;
        }

        /** Add a message after the copied steps; default none. Required after a step that was an answer. */
        public Builder message(String text) {
            return messages(List.of(Message.user(text)));
        }

        /** Say more after the copied steps; see {@link #message(String)}. */
        public Builder messages(List<Message> more) {
            this.said.addAll(more);
            return this;
        }

        /**
         * Continue without the hooks that were given to the old run only; default they must be given again by {@link
         * #options}, if they decide something.
         */
        public Builder withoutHooks() {
            this.withoutHooks = true;
            return this;
        }

        /**
         * Change options; default those the old run was started with, which {@code thread} is not among: a fork of a
         * run with a thread has a new one.
         */
        public Builder options(Consumer<RunOptions.Builder> changes) {
            this.options = options.andThen(changes);
            return this;
        }

        private Fork build() {
            return new Fork(agent, models, input, said, withoutHooks, options);
        }
    }
}
