package dev.chargehand;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.engine.fork.ForkChanges;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A builder of the changes of a fork relative to its source run. Not thread-safe; every method returns the builder and
 * rejects null with a {@link ConfigurationException}.
 */
public final class ForkBuilder {

    private @Nullable Agent agent;
    private @Nullable Version version;
    private @Nullable List<String> models;
    private @Nullable List<Message> input;
    private final List<Message> said = new ArrayList<>();
    private boolean withoutHooks;
    private Consumer<RunOptions.Builder> options = o -> {};

    private ForkBuilder() {}

    static ForkChanges changes(Consumer<ForkBuilder> changes) {
        ForkBuilder builder = new ForkBuilder();
        given("changes", changes).accept(builder);
        if (builder.agent != null && builder.version != null) {
            throw new ConfigurationException("A fork continues with agent '" + builder.agent.id()
                    + "' and with another version of the source run's agent; set one of both.");
        }
        return new ForkChanges(
                builder.agent == null ? null : builder.agent.definition(),
                builder.version,
                builder.models,
                builder.input,
                builder.said,
                builder.withoutHooks,
                values -> RunOptions.changed(values, builder.options));
    }

    private static <T> T given(String what, @Nullable T value) {
        return Given.value("Fork: " + what, value);
    }

    private static List<Message> present(String what, @Nullable List<Message> messages) {
        given(what, messages).forEach(message -> given("a message of " + what, message));
        return List.copyOf(messages);
    }

    /** Set the agent that continues. Default: the agent of the source run in its version, as that is defined today. */
    public ForkBuilder agent(Agent value) {
        this.agent = given("agent", value);
        return this;
    }

    /**
     * Set the version of the source run's agent that continues. Default: that of the source run. Versions of sub-agents are selected by
     * {@link #options}.
     */
    public ForkBuilder version(Version value) {
        this.version = given("version", value);
        return this;
    }

    /**
     * Set the models that are called in place of the agent's own, by name: the first, then its fallbacks. Default: the
     * agent's own, or, if the source run is a fork itself, the models of that fork. Sub-agents keep theirs. The names
     * are stored with the fork; to use a {@link dev.chargehand.model.Model} object, set an {@link #agent} that has it.
     *
     * @throws ConfigurationException if a name is not {@code provider/model}
     */
    public ForkBuilder model(String first, String... fallbacks) {
        List<String> names = Stream.concat(Stream.of(given("model", first)), Stream.of(given("fallbacks", fallbacks)))
                .toList();
        ModelChoice.of(names); // throws if one of them is no name of a model
        this.models = names;
        return this;
    }

    /** Set the input of the run, before the copied steps. Default: the input of the source run. */
    public ForkBuilder input(String prompt) {
        return input(List.of(Message.user(given("input", prompt))));
    }

    /** Set the input of the run; see {@link #input(String)}. */
    public ForkBuilder input(List<Message> messages) {
        this.input = present("input", messages);
        return this;
    }

    /** Add a message after the copied steps. Required after a step that was an answer. */
    public ForkBuilder addMessage(String text) {
        return addMessages(List.of(Message.user(given("message", text))));
    }

    /** Add messages after the copied steps; see {@link #addMessage(String)}. */
    public ForkBuilder addMessages(List<Message> more) {
        this.said.addAll(present("messages", more));
        return this;
    }

    /**
     * Continue without the hooks that were given to the source run only. Default: those that decide must be given again
     * by {@link #options}.
     */
    public ForkBuilder withoutHooks() {
        this.withoutHooks = true;
        return this;
    }

    /**
     * Change the options of the source run. Its {@code thread} is not among them: a fork of a run with a thread has a
     * new one.
     */
    public ForkBuilder options(Consumer<RunOptions.Builder> changes) {
        this.options = options.andThen(given("options", changes));
        return this;
    }
}
