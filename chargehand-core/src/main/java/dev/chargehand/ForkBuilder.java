package dev.chargehand;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.fork.ForkChanges;
import dev.chargehand.internal.engine.fork.WorkflowForkChanges;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.version.Version;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        List<Message> present = List.copyOf(messages);
        Given.requireContent("Fork: message ", " of " + what, present);
        return present;
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

    /**
     * Set the input of the run, before the copied steps. Default: the input of the source run.
     *
     * @throws ConfigurationException if it is blank
     */
    public ForkBuilder input(String prompt) {
        return input(List.of(Given.said("Fork: input", prompt)));
    }

    /** Set the input of the run; see {@link #input(String)}. */
    public ForkBuilder input(List<Message> messages) {
        this.input = present("input", messages);
        return this;
    }

    /**
     * Add a message after the copied steps. Required after a step that was an answer.
     *
     * @throws ConfigurationException if it is blank
     */
    public ForkBuilder addMessage(String text) {
        return addMessages(List.of(Given.said("Fork: message", text)));
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

    /**
     * A builder of where a fork of a workflow's run continues, and of its changes. Not thread-safe; every method returns the
     * builder and rejects null with a {@link ConfigurationException}.
     */
    public static final class WorkflowForkBuilder {

        private @Nullable String place;
        private final Map<String, Json> outputs = new LinkedHashMap<>();
        private @Nullable Json input;
        private @Nullable Json state;
        private @Nullable WorkflowDefinition workflow;
        private boolean withoutHooks;
        private Consumer<RunOptions.Builder> options = o -> {};

        private WorkflowForkBuilder() {}

        static WorkflowForkChanges changes(Consumer<WorkflowForkBuilder> changes) {
            WorkflowForkBuilder builder = new WorkflowForkBuilder();
            given("changes", changes).accept(builder);
            if (builder.place == null) {
                throw new ConfigurationException(
                        "A fork of a workflow's run continues before one of its entries: say which with before(\"...\").");
            }
            return new WorkflowForkChanges(
                    builder.place,
                    builder.outputs,
                    builder.input,
                    builder.state,
                    builder.workflow,
                    builder.withoutHooks,
                    values -> RunOptions.changed(values, builder.options));
        }

        /**
         * Continue before an entry. Required.
         *
         * @param entry the id of an entry, or of one of its steps: before the last round of it; {@code poll#3} is before the third iteration
         */
        public WorkflowForkBuilder before(String entry) {
            this.place = given("before", entry);
            return this;
        }

        /**
         * Replace the output of a copied call: of the last one at a path. Copied rounds after it keep their inputs.
         *
         * @param path the id of a step, or an item such as {@code notify[3]}
         * @param value any value that has a JSON form and fits the schema of the step
         */
        public WorkflowForkBuilder output(String path, Object value) {
            outputs.put(given("the path of an output", path), Json.of(given("output", value)));
            return this;
        }

        /** Set the input of the run, which the code after the copied rounds sees. Default: the input of the source run. */
        public WorkflowForkBuilder input(Object value) {
            this.input = Json.of(given("input", value));
            return this;
        }

        /** Set the shared state with which the run continues. Default: that of the source run there. */
        public WorkflowForkBuilder state(Object value) {
            this.state = Json.of(given("state", value));
            return this;
        }

        /**
         * Set the workflow that continues, such as another version. It must have the entries of the copied rounds. Default: the workflow of
         * the source run in its version.
         */
        public WorkflowForkBuilder workflow(Workflow<?, ?> value) {
            this.workflow = new WorkflowDefinition(given("workflow", value));
            return this;
        }

        /** Continue without the hooks that were given to the source run only; see {@link ForkBuilder#withoutHooks}. */
        public WorkflowForkBuilder withoutHooks() {
            this.withoutHooks = true;
            return this;
        }

        /** Change the options of the source run. */
        public WorkflowForkBuilder options(Consumer<RunOptions.Builder> changes) {
            this.options = options.andThen(given("options", changes));
            return this;
        }
    }
}
