package dev.chargehand;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.completion.Completion;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.processor.Processor;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.Budget;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.version.Version;
import dev.chargehand.version.Versions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run.
 *
 * <p>The options of a call start with the defaults of its agent, and the call changes them:
 *
 * <pre>{@code
 * agent.generate("Write the report.", o -> o.maxSteps(20).addListener(console));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class RunOptions {

    private static final RunOptions DEFAULTS = new RunOptions(OptionValues.DEFAULT);

    private final OptionValues values;

    RunOptions(OptionValues values) {
        this.values = values;
    }

    /** Return every option at its default. */
    public static RunOptions defaults() {
        return DEFAULTS;
    }

    /** Return values with changes; see {@link #with}. */
    static OptionValues changed(OptionValues values, Consumer<Builder> changes) {
        Builder builder = new Builder(values);
        changes.accept(builder);
        return builder.values();
    }

    /**
     * Return these options with changes.
     *
     * @throws ConfigurationException if a value is invalid
     */
    @CheckReturnValue
    public RunOptions with(Consumer<Builder> changes) {
        return new RunOptions(changed(values, changes));
    }

    /** Return the options that are not at their defaults, by the names of the methods that set them. */
    public Map<String, Object> changed() {
        return values.changed();
    }

    /** Return the prices of models. */
    public Prices prices() {
        return values.get(Options.PRICES);
    }

    OptionValues values() {
        return values;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunOptions those && values.equals(those.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "RunOptions" + values.changed();
    }

    /** A builder of options. Not thread-safe; every method returns the builder.
     *
     * <p>A method replaces the value of its option. Methods that start with {@code add} add one value to a list, their
     * plural replaces the list. A method that names a part of its value ({@code limit}, {@code timeLimit}, {@code
     * hookPolicy}, {@code hookTimeLimit}, {@code metadata}, {@code requestContext}, {@code budget}, {@code
     * modelSettings}) replaces that part and keeps the others. Every method rejects null and invalid values with a
     * {@link ConfigurationException}.
     */
    public static final class Builder extends HookOptions<Builder> {

        private Builder(OptionValues from) {
            super(from);
        }

        @Override
        Builder self() {
            return this;
        }

        /** Set the most steps, at least 1. Default: 10, or 5 for a delegation. */
        public Builder maxSteps(int value) {
            return set(Options.MAX_STEPS, value);
        }

        /** Set how many calls of one step run concurrently, at least 1. Default: 10. */
        public Builder toolCallConcurrency(int value) {
            return set(Options.TOOL_CALL_CONCURRENCY, value);
        }

        /** Set how often a model call that failed for a transient reason is retried, from 0. Default: 2. */
        public Builder retries(int value) {
            return set(Options.RETRIES, value);
        }

        /** Set whether the model may or must call tools. Default: auto. A run is rejected if a chosen tool is not offered. */
        public Builder toolChoice(ToolChoice value) {
            return set(Options.TOOL_CHOICE, value);
        }

        /** Set the tools that are offered, by name. Default: all. */
        public Builder activeTools(String... names) {
            return set(Options.ACTIVE_TOOLS, Given.array("Option 'activeTools'", names));
        }

        /** Set one limit for the run and its descendants; see {@link Limit} for the defaults. */
        public Builder limit(Limit limit, long value) {
            return change(Options.LIMITS, limits -> limits.with(Given.value("Option 'limit'", limit), value));
        }

        /** Set one time limit for the run and its descendants; see {@link TimeLimit} for the defaults. */
        public Builder timeLimit(TimeLimit limit, Duration value) {
            Given.value("Option 'timeLimit'", value);
            return change(Options.TIME_LIMITS, limits -> limits.with(Given.value("Option 'timeLimit'", limit), value));
        }

        /** Set the time limit of one hook of the run, above zero. Default: {@link TimeLimit#HOOK}. */
        public Builder hookTimeLimit(Hook hook, Duration value) {
            return add(Options.HOOK_TIME_LIMITS, Collections.singletonMap(hook, value));
        }

        /** Set what the run and its descendants may spend. Default: unbounded. */
        public Builder budget(UnaryOperator<Budget> change) {
            return change(Options.BUDGET, change);
        }

        /** Set the prices of models. Default: none, which makes every cost zero. */
        public Builder prices(Prices value) {
            return set(Options.PRICES, value);
        }

        /** Set how much of the conversation sub-agents see. Default: all of it. */
        public Builder subAgentContext(SubAgentContext value) {
            Predicate<Message> filter = value.filter();
            set(Options.SUB_AGENT_CONTEXT, value);
            return filter == null ? clear(Options.SUB_AGENT_FILTER) : set(Options.SUB_AGENT_FILTER, filter);
        }

        /** Set which delegation's text becomes the answer if several bail. Default: the first by time. */
        public Builder bailStrategy(BailStrategy value) {
            return set(Options.BAIL_STRATEGY, value);
        }

        /** Set whether a bail cancels the other calls of its step. Default: false, they finish. */
        public Builder cancelSiblings(boolean value) {
            return set(Options.CANCEL_SIBLINGS, value);
        }

        /** Set whether the supervisor's model sees the tool results of sub-agents. Default: false. */
        public Builder includeSubAgentToolResultsInModelContext(boolean value) {
            return set(Options.SUB_AGENT_TOOL_RESULTS, value);
        }

        /**
         * Set whether results of delegations get ids such as {@code researcher-1}. The supervisor's model may name them
         * in later delegations, to forward a result word for word or to continue the delegation. Default: false.
         */
        public Builder enableResultReferences(boolean value) {
            return set(Options.RESULT_REFERENCES, value);
        }

        /**
         * Set the meaning of the failure of a hook; see {@link Hook} for the defaults.
         *
         * @throws ConfigurationException if the hook does not allow the policy
         */
        public Builder hookPolicy(Hook hook, HookPolicy policy) {
            return add(Options.HOOK_POLICIES, Collections.singletonMap(hook, policy));
        }

        /** Set how models answer, within the bounds of {@link ModelSettings}. Default: up to the provider. */
        public Builder modelSettings(UnaryOperator<ModelSettings> change) {
            Given.value("Option 'modelSettings'", change);
            return change(Options.MODEL_SETTINGS, before -> Given.value("Option 'modelSettings'", change.apply(before))
                    .requireValid());
        }

        /** Change what the run remembers of its conversations. Default: what the agent does; see {@link MemoryOptions}. */
        public Builder memory(UnaryOperator<MemoryOptions> change) {
            return change(Options.MEMORY, change);
        }

        /**
         * Set the version of an agent, by its id: of the called one, or of any that is delegated to, at every level. Default: what
         * the request context has under {@link Versions#KEY}, then what the agent's default options and the runtime select, then
         * {@link #defaultVersion}, then the agent in code.
         *
         * <p>A call with the id of an agent that does not exist fails with a {@link ConfigurationException}, one of a version that
         * does not exist with {@code version-unknown}; for a delegation that is an error result. The changes of a call that selects
         * another version of the called agent are made twice: to its default options, too.
         */
        public Builder version(String agentId, Version version) {
            return add(Options.VERSIONS, Collections.singletonMap(agentId, version));
        }

        /** Set the version of all agents of which no other is selected; see {@link #version}. Default: the agents in code. */
        public Builder defaultVersion(Version version) {
            return set(Options.DEFAULT_VERSION, version);
        }

        /** Set one string that is stored with the run, by key. Default: none. */
        public Builder metadata(String key, String value) {
            return add(Options.METADATA, Collections.singletonMap(key, value));
        }

        /**
         * Set a Java type, such as a record, that the answer fits as JSON. Default: any text. If the answer does not
         * fit, the model may correct it once; then the run fails.
         *
         * @throws ConfigurationException if the type has no schema, or cannot be read from JSON
         */
        public Builder structuredOutput(Class<?> type) {
            return structuredOutput(StructuredOutput.of(Given.value("Option 'structuredOutput'", type)));
        }

        /** Set the form of an answer that is JSON, and how an answer that does not fit is handled. Default: any text. */
        public Builder structuredOutput(StructuredOutput value) {
            return set(Options.STRUCTURED_OUTPUT, value);
        }

        /** Add a processor of the run's input; see {@link Processor}. */
        public Builder addInputProcessor(Processor processor) {
            return addOne(Options.INPUT_PROCESSORS, processor);
        }

        /**
         * Set the processors of the run's input, in order. Default: none. See {@link Processor}.
         *
         * @throws ConfigurationException if one of them does not process input
         */
        public Builder inputProcessors(List<Processor> processors) {
            return set(Options.INPUT_PROCESSORS, processors);
        }

        /** Set the same; see {@link #inputProcessors(List)}. */
        public Builder inputProcessors(Processor... processors) {
            return inputProcessors(Given.array("Option 'inputProcessors'", processors));
        }

        /** Add a processor of the run's output; see {@link Processor}. */
        public Builder addOutputProcessor(Processor processor) {
            return addOne(Options.OUTPUT_PROCESSORS, processor);
        }

        /**
         * Set the processors of the run's output, in order. Default: none. See {@link Processor}.
         * @throws ConfigurationException if one of them does not process output
         */
        public Builder outputProcessors(List<Processor> processors) {
            return set(Options.OUTPUT_PROCESSORS, processors);
        }

        /** Set the same; see {@link #outputProcessors(List)}. */
        public Builder outputProcessors(Processor... processors) {
            return outputProcessors(Given.array("Option 'outputProcessors'", processors));
        }

        /** Set how many answers of the run processors may have repeated, from 0. Default: 1. */
        public Builder maxProcessorRetries(int value) {
            return set(Options.MAX_PROCESSOR_RETRIES, value);
        }

        /**
         * Set whether every call of a tool waits for approval, in the run and its nested runs. Default: false.
         * Delegations do not wait; the calls of their tools do.
         */
        public Builder requireToolApproval(boolean value) {
            return set(Options.ALL_TOOLS_NEED_APPROVAL, value);
        }

        /**
         * Set which calls of tools and sub-agents wait for approval, in the run and its nested runs, in addition to tools that require it
         * themselves. If it fails, approval is needed. Default: none.
         */
        public Builder requireToolApproval(Predicate<ToolCallRequest> policy) {
            return set(Options.REQUIRE_TOOL_APPROVAL, policy);
        }

        /** Set how long a call waits for a decision before it counts as declined, above zero and at most 36,500 days. Default: 24 h. */
        public Builder approvalExpiry(Duration value) {
            return set(Options.APPROVAL_EXPIRY, value);
        }

        /**
         * Set whether the requester may decide about calls of the run. Default: true. A run that forbids it needs a
         * {@link #requester} or a {@link #resource}, else it is not started.
         */
        public Builder selfApproval(boolean value) {
            return set(Options.SELF_APPROVAL, value);
        }

        /** Set on whose behalf the run works. Default: the {@link #resource}. */
        public Builder requester(String id) {
            return set(Options.REQUESTER, id);
        }

        /** Set the scorers that decide whether the task is complete. Default: none, the model decides. */
        public Builder completion(Completion value) {
            return set(Options.COMPLETION, value);
        }

        /** Set the thread, which is the conversation that the run continues. Default: none. */
        public Builder thread(String id) {
            return set(Options.THREAD, id);
        }

        /** Set how the run is handled if another run is using its thread. Default: it waits for its turn. */
        public Builder busyThread(BusyThreadPolicy value) {
            return set(Options.BUSY_THREAD, value);
        }

        /** Set how closing the stream of the run affects the run; others ignore it. Default: the run is cancelled. */
        public Builder onClose(RunStream.OnClose value) {
            return set(Options.ON_CLOSE, value);
        }

        /** Set the resource, such as a user, that the run belongs to, with its nested runs and its thread. Default: none. */
        public Builder resource(String id) {
            return set(Options.RESOURCE, id);
        }

        /**
         * Set a key by which a repeated call finds the run that the first one started, instead of starting another. Default: none. It
         * counts for 24 hours, and for the same agent, resource and requester; the input and the thread must be the same. The run is
         * stored when the call returns.
         *
         * <p>{@code start}, {@code generate}, {@code stream} and {@link AgentRuntime#submit} of an agent find the runs of each other; a
         * network of the agent is found by calls for a network, and a fork by a call that forks the same run; its step, changes and
         * thread must be the same. A stream that finds its run reads it from its start; see {@link RunStream}.
         *
         * @throws ConfigurationException unless it has 1 to 255 visible ASCII characters
         */
        public Builder idempotencyKey(String value) {
            return set(Options.IDEMPOTENCY_KEY, value);
        }

        /** Set whether the message of the call answers the newest run of its thread, if that waits for data of one call. Default: false. */
        public Builder autoResumeSuspendedTools(boolean value) {
            return set(Options.AUTO_RESUME, value);
        }

        /** Set what must be the same too when a call with its {@link #idempotencyKey} is repeated: 1 to 255 visible ASCII characters. Default: none. */
        public Builder idempotencyDigest(String value) {
            return set(Options.IDEMPOTENCY_DIGEST, value);
        }

        /** Set values of the request; those under other keys are kept. Default: none. */
        public Builder requestContext(RequestContext values) {
            return add(Options.REQUEST_CONTEXT, values);
        }
    }
}
