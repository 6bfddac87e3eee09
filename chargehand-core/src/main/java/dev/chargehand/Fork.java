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
 * What a fork changes of the run it goes on from; see {@link AgentRuntime#fork}.
 *
 * @param agent who goes on, or null for the agent of the old run
 * @param models the names of the models that are asked in place of the agent's own, or null for none
 * @param input what the run was asked for, or null for what the old one was asked for
 * @param said what is said after the copied steps
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

        /** Lets another agent go on; default the agent of the old run, as it is defined today. */
        public Builder agent(Agent value) {
            this.agent = value;
            return this;
        }

        /**
         * Asks another model than the agent's own, and fallbacks in order, by their names; default the agent's own, or
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

        /** Replaces what the run was asked for, under the steps that are copied; default what the old run was asked. */
        public Builder input(String prompt) {
            return input(List.of(Message.user(prompt)));
        }

        /** Replaces what the run was asked for; see {@link #input(String)}. */
        public Builder input(List<Message> messages) {
            this.input = List.copyOf(messages);
            return this;
        }

        /** Says more after the copied steps; default nothing. A step that was an answer needs it. */
        public Builder message(String text) {
            return messages(List.of(Message.user(text)));
        }

        /** Says more after the copied steps; see {@link #message(String)}. */
        public Builder messages(List<Message> more) {
            this.said.addAll(more);
            return this;
        }

        /**
         * Goes on without the hooks that were given to the old run only; default they must be given again by {@link
         * #options}, if they decide something.
         */
        public Builder withoutHooks() {
            this.withoutHooks = true;
            return this;
        }

        /**
         * Changes options; default those the old run was started with, which {@code thread} is not among: a fork of a
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
