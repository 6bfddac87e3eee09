package dev.chargehand;

import dev.chargehand.approval.ApprovalSettings;
import dev.chargehand.completion.Completion;
import dev.chargehand.delegation.BailStrategy;
import dev.chargehand.delegation.DelegationCompleteContext;
import dev.chargehand.delegation.DelegationDecision;
import dev.chargehand.delegation.DelegationHooks;
import dev.chargehand.delegation.DelegationSettings;
import dev.chargehand.delegation.DelegationStartContext;
import dev.chargehand.delegation.DelegationVerdict;
import dev.chargehand.delegation.MessageFilterContext;
import dev.chargehand.delegation.SubAgentContext;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunListener;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processor;
import dev.chargehand.run.Budget;
import dev.chargehand.run.BusyThread;
import dev.chargehand.run.Hook;
import dev.chargehand.run.HookPolicy;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunKind;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import dev.chargehand.step.IterationContext;
import dev.chargehand.step.IterationDecision;
import dev.chargehand.step.StepContext;
import dev.chargehand.step.StepPlan;
import dev.chargehand.step.StepResult;
import dev.chargehand.tool.ToolCallDecision;
import dev.chargehand.tool.ToolCallRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How one run is to go.
 *
 * <p>The options of a call begin with the defaults of its agent. What is set on the call replaces them; values of the
 * request context and metadata are merged by key.
 *
 * @param settings the part that is plain data and stored with the run
 * @param hooks the part that is code
 * @param threadId the conversation to go on with, or null for a run that stands alone
 * @param resourceId whom the conversation belongs to, or null
 * @param requestContext the values of the request
 */
public record RunOptions(
        RunSettings settings,
        RunHooks hooks,
        @Nullable String threadId,
        @Nullable String resourceId,
        RequestContext requestContext) {

    /** Every option at its default. */
    public static final RunOptions DEFAULT =
            new RunOptions(RunSettings.DEFAULT, RunHooks.NONE, null, null, RequestContext.empty());

    /** Returns these options with changes. */
    public RunOptions with(Consumer<Builder> changes) {
        Builder builder = new Builder(this);
        changes.accept(builder);
        return builder.build();
    }

    /** Returns these options with other settings. */
    public RunOptions withSettings(RunSettings others) {
        return new RunOptions(others, hooks, threadId, resourceId, requestContext);
    }

    /** Returns these options with other hooks. */
    public RunOptions withHooks(RunHooks others) {
        return new RunOptions(settings, others, threadId, resourceId, requestContext);
    }

    /** Collects options. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private @Nullable Integer maxSteps;
        private int toolCallConcurrency;
        private int retries;
        private ToolChoice toolChoice;
        private @Nullable List<String> activeTools;
        private Limits limits;
        private TimeLimits timeLimits;
        private Budget budget;
        private Prices prices;
        private SubAgentContext subAgentContext;
        private BailStrategy bailStrategy;
        private boolean cancelSiblings;
        private boolean includeSubAgentToolResults;
        private boolean resultReferences;
        private final Map<Hook, HookPolicy> hookPolicies;
        private ModelSettings modelSettings;
        private final Map<String, String> metadata;
        private @Nullable StructuredOutput structuredOutput;
        private final RunKind kind;
        private @Nullable Integer maxProcessorRetries;
        private List<Processor> inputProcessors;
        private List<Processor> outputProcessors;
        private @Nullable Function<StepContext, StepPlan> prepareStep;
        private List<Predicate<StepContext>> stopWhen;
        private @Nullable Function<ToolCallRequest, ToolCallDecision> beforeToolCall;
        private @Nullable Predicate<ToolCallRequest> requireToolApproval;
        private boolean allToolsNeedApproval;
        private Duration approvalExpiry;
        private boolean selfApproval;
        private @Nullable String requester;
        private BusyThread busyThread;
        private @Nullable Function<DelegationStartContext, DelegationDecision> onDelegationStart;
        private @Nullable Function<MessageFilterContext, List<Message>> messageFilter;
        private @Nullable Consumer<DelegationStartContext> observeDelegationStart;
        private @Nullable Function<DelegationCompleteContext, DelegationVerdict> onDelegationComplete;
        private @Nullable Function<IterationContext, IterationDecision> onIterationComplete;
        private @Nullable Completion completion;
        private @Nullable Consumer<StepResult> onStepFinish;
        private @Nullable Consumer<RunResult> onFinish;
        private @Nullable Consumer<RunResult> onError;
        private @Nullable Consumer<RunResult> onAbort;
        private final List<RunListener> listeners;
        private @Nullable String threadId;
        private @Nullable String resourceId;
        private RequestContext requestContext;

        private Builder(RunOptions from) {
            RunSettings settings = from.settings;
            this.maxSteps = settings.maxSteps();
            this.toolCallConcurrency = settings.toolCallConcurrency();
            this.retries = settings.retries();
            this.toolChoice = settings.toolChoice();
            this.activeTools = settings.activeTools();
            this.limits = settings.limits();
            this.timeLimits = settings.timeLimits();
            this.budget = settings.budget();
            this.prices = settings.prices();
            DelegationSettings delegation = settings.delegation();
            DelegationHooks delegationHooks = from.hooks.delegation();
            this.subAgentContext = delegation.subAgentContext().withFilter(delegationHooks.subAgentFilter());
            this.bailStrategy = delegation.bailStrategy();
            this.cancelSiblings = delegation.cancelSiblings();
            this.includeSubAgentToolResults = delegation.includeSubAgentToolResults();
            this.resultReferences = delegation.resultReferences();
            this.hookPolicies = new HashMap<>(settings.hookPolicies());
            this.modelSettings = settings.modelSettings();
            this.metadata = new HashMap<>(settings.metadata());
            this.structuredOutput = settings.structuredOutput();
            this.kind = settings.kind();
            this.maxProcessorRetries = settings.maxProcessorRetries();
            RunHooks hooks = from.hooks;
            this.inputProcessors = hooks.inputProcessors();
            this.outputProcessors = hooks.outputProcessors();
            this.prepareStep = hooks.prepareStep();
            this.stopWhen = hooks.stopWhen();
            this.beforeToolCall = hooks.beforeToolCall();
            this.requireToolApproval = hooks.requireToolApproval();
            ApprovalSettings approvals = settings.approvals();
            this.allToolsNeedApproval = approvals.all();
            this.approvalExpiry = approvals.expiry();
            this.selfApproval = approvals.selfApproval();
            this.requester = approvals.requester();
            this.busyThread = settings.busyThread();
            this.onDelegationStart = delegationHooks.onDelegationStart();
            this.messageFilter = delegationHooks.messageFilter();
            this.observeDelegationStart = delegationHooks.observeDelegationStart();
            this.onDelegationComplete = delegationHooks.onDelegationComplete();
            this.onIterationComplete = hooks.onIterationComplete();
            this.completion = hooks.completion();
            this.onStepFinish = hooks.onStepFinish();
            this.onFinish = hooks.onFinish();
            this.onError = hooks.onError();
            this.onAbort = hooks.onAbort();
            this.listeners = new ArrayList<>(hooks.listeners());
            this.threadId = from.threadId;
            this.resourceId = from.resourceId;
            this.requestContext = from.requestContext;
        }

        /** Sets the most steps, at least 1; default 10, or 5 for a delegation. */
        public Builder maxSteps(int value) {
            this.maxSteps = positive("maxSteps", value);
            return this;
        }

        /** Sets how many calls of one step run at once, at least 1; default 10. */
        public Builder toolCallConcurrency(int value) {
            this.toolCallConcurrency = positive("toolCallConcurrency", value);
            return this;
        }

        /** Sets how often a model call that failed for a passing reason is made again, from 0; default 2. */
        public Builder retries(int value) {
            if (value < 0) {
                throw new ConfigurationException("Option 'retries' must not be negative, but is " + value + ".");
            }
            this.retries = value;
            return this;
        }

        /** Sets how free the model is to call tools; default auto. */
        public Builder toolChoice(ToolChoice value) {
            this.toolChoice = given("toolChoice", value);
            return this;
        }

        /** Sets the tools that are offered, by name; default all. */
        public Builder activeTools(String... names) {
            this.activeTools = List.of(given("activeTools", names));
            return this;
        }

        /** Sets one limit for the run and its descendants; see {@link Limit} for the defaults. */
        public Builder limit(Limit limit, long value) {
            this.limits = limits.with(limit, value);
            return this;
        }

        /** Sets one time limit for the run and its descendants; see {@link TimeLimit} for the defaults. */
        public Builder timeLimit(TimeLimit limit, Duration value) {
            this.timeLimits = timeLimits.with(limit, value);
            return this;
        }

        /** Sets what the run and its descendants may spend; default nothing is bounded. */
        public Builder budget(UnaryOperator<Budget> change) {
            this.budget = given("budget", change).apply(budget);
            return this;
        }

        /** Sets what models cost; default no prices, which makes every cost zero. */
        public Builder prices(Prices value) {
            this.prices = given("prices", value);
            return this;
        }

        /** Sets how much of the conversation sub-agents see; default all that was said. */
        public Builder subAgentContext(SubAgentContext value) {
            this.subAgentContext = given("subAgentContext", value);
            return this;
        }

        /** Sets which delegation's text becomes the answer when several bail; default the first by time. */
        public Builder bailStrategy(BailStrategy value) {
            this.bailStrategy = given("bailStrategy", value);
            return this;
        }

        /** Sets whether a bail cancels the other calls of its step; default false, they are left to finish. */
        public Builder cancelSiblings(boolean value) {
            this.cancelSiblings = value;
            return this;
        }

        /** Cancels the other calls of a step when one of them bails; see {@link #cancelSiblings(boolean)}. */
        public Builder cancelSiblings() {
            return cancelSiblings(true);
        }

        /** Sets whether the supervisor's model sees what a sub-agent's tools returned; default false. */
        public Builder includeSubAgentToolResultsInModelContext(boolean value) {
            this.includeSubAgentToolResults = value;
            return this;
        }

        /**
         * Sets whether results of delegations get ids such as {@code researcher-1}, which the supervisor's model may
         * name in later delegations, to hand a result over word for word or to go on with the delegation; default
         * false.
         */
        public Builder enableResultReferences(boolean value) {
            this.resultReferences = value;
            return this;
        }

        /**
         * Sets what the failure of a hook means; see {@link Hook} for the defaults.
         *
         * @throws ConfigurationException when the options are built, if the hook's failure cannot mean that
         */
        public Builder hookPolicy(Hook hook, HookPolicy policy) {
            this.hookPolicies.put(hook, policy);
            return this;
        }

        /** Sets how models should answer; default up to the provider. */
        public Builder modelSettings(UnaryOperator<ModelSettings> change) {
            this.modelSettings = change.apply(modelSettings);
            return this;
        }

        /** Adds a word that is stored with the run; a key that is there is replaced. */
        public Builder metadata(String key, String value) {
            this.metadata.put(key, value);
            return this;
        }

        /**
         * Sets that the answer is JSON that fits a Java type, such as a record; default any text. A run whose answer does
         * not fit fails, after it was asked to mend it once.
         *
         * @throws ConfigurationException if no schema can be made of the type
         */
        public Builder structuredOutput(Class<?> type) {
            return structuredOutput(StructuredOutput.of(type));
        }

        /** Sets that the answer is JSON, of what form, and what becomes of one that does not fit; default any text. */
        public Builder structuredOutput(StructuredOutput value) {
            this.structuredOutput = given("structuredOutput", value);
            return this;
        }

        /**
         * Sets what looks at what goes into the run, in order; default none. See {@link Processor}.
         *
         * @throws ConfigurationException if one of them looks at nothing that goes in
         */
        public Builder inputProcessors(Processor... processors) {
            return inputProcessors(Arrays.asList(processors));
        }

        /** Sets the same; see {@link #inputProcessors(Processor...)}. */
        public Builder inputProcessors(List<Processor> processors) {
            this.inputProcessors = requireOneOf(
                    "inputProcessors", processors, List.of(InputProcessor.class, InputStepProcessor.class));
            return this;
        }

        /**
         * Sets what looks at what comes out of the run, in order; default none. See {@link Processor}.
         *
         * @throws ConfigurationException if one of them looks at nothing that comes out
         */
        public Builder outputProcessors(Processor... processors) {
            return outputProcessors(Arrays.asList(processors));
        }

        /** Sets the same; see {@link #outputProcessors(Processor...)}. */
        public Builder outputProcessors(List<Processor> processors) {
            this.outputProcessors = requireOneOf(
                    "outputProcessors",
                    processors,
                    List.of(OutputStreamProcessor.class, OutputStepProcessor.class, OutputResultProcessor.class));
            return this;
        }

        /** Sets how many answers of the run processors may have made again, from 0; default 1. */
        public Builder maxProcessorRetries(int value) {
            if (value < 0) {
                throw new ConfigurationException(
                        "Option 'maxProcessorRetries' must not be negative, but is " + value + ".");
            }
            this.maxProcessorRetries = value;
            return this;
        }

        private static List<Processor> requireOneOf(
                String option, List<Processor> processors, List<Class<? extends Processor>> kinds) {
            for (Processor processor : given(option, processors)) {
                given(option, processor);
                if (kinds.stream().noneMatch(kind -> kind.isInstance(processor))) {
                    throw new ConfigurationException("Option '" + option + "': processor '" + processor.name()
                            + "' is none of "
                            + kinds.stream().map(Class::getSimpleName).collect(Collectors.joining(", ")) + ".");
                }
            }
            return List.copyOf(processors);
        }

        /** Sets what changes one step before the model is asked; one that throws fails the run. */
        public Builder prepareStep(Function<StepContext, StepPlan> hook) {
            this.prepareStep = given("prepareStep", hook);
            return this;
        }

        /** Sets when the run ends early: when the predicate is true after a step. */
        public Builder stopWhen(Predicate<StepContext> predicate) {
            return stopWhen(List.of(given("stopWhen", predicate)));
        }

        /** Sets when the run ends early: when one of the predicates is true after a step. */
        public Builder stopWhen(List<Predicate<StepContext>> predicates) {
            this.stopWhen = List.copyOf(predicates);
            return this;
        }

        /**
         * Sets what decides about every call of a tool or sub-agent before it is executed; default none. One that
         * fails refuses the call.
         *
         * <p>Its decision is stored with the call. After a crash between both it is asked again.
         */
        public Builder beforeToolCall(Function<ToolCallRequest, ToolCallDecision> hook) {
            this.beforeToolCall = given("beforeToolCall", hook);
            return this;
        }

        /**
         * Makes every call of a tool wait for approval, in the run and its nested runs; default false. Delegations need
         * none, what they do does.
         */
        public Builder requireToolApproval() {
            this.allToolsNeedApproval = true;
            return this;
        }

        /**
         * Sets which calls of tools and sub-agents wait for approval, in the run and its nested runs, beside those of
         * tools that require it themselves; default none. A policy that fails means that approval is needed.
         */
        public Builder requireToolApproval(Predicate<ToolCallRequest> policy) {
            this.requireToolApproval = given("requireToolApproval", policy);
            return this;
        }

        /** Sets how long a call waits for an answer before it counts as declined, above zero; default 24 h. */
        public Builder approvalExpiry(Duration value) {
            this.approvalExpiry = given("approvalExpiry", value);
            return this;
        }

        /**
         * Sets whether the requester may answer for the run; default true. A run that forbids it needs a {@link #requester} or
         * a {@link #resource}, else it is not started.
         */
        public Builder selfApproval(boolean allowed) {
            this.selfApproval = allowed;
            return this;
        }

        /** Sets on whose behalf the run works; default the resource, whom the conversation belongs to. */
        public Builder requester(String id) {
            this.requester = notBlank("requester", id);
            return this;
        }

        /**
         * Sets what decides about every delegation before it begins; default none. One that fails refuses the
         * delegation.
         *
         * <p>Its decision is stored with the delegation. After a crash between both it is asked again.
         */
        public Builder onDelegationStart(Function<DelegationStartContext, DelegationDecision> hook) {
            this.onDelegationStart = given("onDelegationStart", hook);
            return this;
        }

        /**
         * Sets what chooses the messages that a sub-agent sees, after {@link #subAgentContext}; default none. One that
         * fails refuses the delegation. System and tool messages are never forwarded, even if the filter returns some.
         */
        public Builder messageFilter(Function<MessageFilterContext, List<Message>> hook) {
            this.messageFilter = given("messageFilter", hook);
            return this;
        }

        /** Sets who hears of every delegation that begins, beside it; default none. */
        public Builder observeDelegationStart(Consumer<DelegationStartContext> hook) {
            this.observeDelegationStart = given("observeDelegationStart", hook);
            return this;
        }

        /**
         * Sets what decides about the result of every delegation; default none. One that fails accepts the result.
         *
         * <p>Its verdict is stored with the result. After a crash between both it is asked again.
         */
        public Builder onDelegationComplete(Function<DelegationCompleteContext, DelegationVerdict> hook) {
            this.onDelegationComplete = given("onDelegationComplete", hook);
            return this;
        }

        /**
         * Sets what decides after every step whether the run goes on; default none. One that fails counts as no
         * decision.
         *
         * <p>Its decision is stored with the step. After a crash between both it is asked again.
         */
        public Builder onIterationComplete(Function<IterationContext, IterationDecision> hook) {
            this.onIterationComplete = given("onIterationComplete", hook);
            return this;
        }

        /** Sets the scorers that say whether the task is done; default none, the model's word is taken for it. */
        public Builder completion(Completion value) {
            this.completion = given("completion", value);
            return this;
        }

        /** Sets who hears of every step after it is stored. */
        public Builder onStepFinish(Consumer<StepResult> hook) {
            this.onStepFinish = given("onStepFinish", hook);
            return this;
        }

        /** Sets who hears of the end of the run, unless it failed or was cancelled. */
        public Builder onFinish(Consumer<RunResult> hook) {
            this.onFinish = given("onFinish", hook);
            return this;
        }

        /** Sets who hears of a run that failed. */
        public Builder onError(Consumer<RunResult> hook) {
            this.onError = given("onError", hook);
            return this;
        }

        /**
         * Sets who hears of a run that was cancelled.
         *
         * <p>Of one that was at work, whoever works on it tells; of one that waited for an answer, the runtime that
         * cancels it, if it has the agent or still holds what the run was given.
         */
        public Builder onAbort(Consumer<RunResult> hook) {
            this.onAbort = given("onAbort", hook);
            return this;
        }

        /** Adds somebody who hears every event of the run and its descendants. */
        public Builder listener(RunListener listener) {
            this.listeners.add(given("listener", listener));
            return this;
        }

        /** Sets the conversation to go on with. */
        public Builder thread(String id) {
            this.threadId = notBlank("thread", id);
            return this;
        }

        /** Sets what becomes of the run if another is at work on its thread; default it waits for its turn. */
        public Builder busyThread(BusyThread value) {
            this.busyThread = given("busyThread", value);
            return this;
        }

        /** Sets whom the conversation belongs to. */
        public Builder resource(String id) {
            this.resourceId = notBlank("resource", id);
            return this;
        }

        /** Adds values of the request; those of the same name are replaced. */
        public Builder requestContext(RequestContext values) {
            this.requestContext = requestContext.merge(given("requestContext", values));
            return this;
        }

        RunOptions build() {
            DelegationSettings delegation = new DelegationSettings(
                    subAgentContext, bailStrategy, cancelSiblings, includeSubAgentToolResults, resultReferences);
            DelegationHooks delegationHooks = new DelegationHooks(
                    onDelegationStart,
                    messageFilter,
                    subAgentContext.filter(),
                    observeDelegationStart,
                    onDelegationComplete);
            RunSettings settings = new RunSettings(
                    maxSteps,
                    toolCallConcurrency,
                    retries,
                    toolChoice,
                    activeTools,
                    limits,
                    timeLimits,
                    budget,
                    prices,
                    delegation,
                    new ApprovalSettings(allToolsNeedApproval, approvalExpiry, selfApproval, requester),
                    busyThread,
                    hookPolicies,
                    modelSettings,
                    metadata,
                    structuredOutput,
                    kind,
                    maxProcessorRetries);
            RunHooks hooks = new RunHooks(
                    prepareStep,
                    stopWhen,
                    beforeToolCall,
                    requireToolApproval,
                    inputProcessors,
                    outputProcessors,
                    delegationHooks,
                    onIterationComplete,
                    completion,
                    onStepFinish,
                    onFinish,
                    onError,
                    onAbort,
                    listeners);
            return new RunOptions(settings, hooks, threadId, resourceId, requestContext);
        }

        private static <T> T given(String option, @Nullable T value) {
            return Given.value("Option '" + option + "'", value);
        }

        private static int positive(String option, int value) {
            if (value < 1) {
                throw new ConfigurationException(
                        "Option '" + option + "' must be at least 1, but is " + value + "; there is no unlimited.");
            }
            return value;
        }

        private static String notBlank(String option, String value) {
            if (given(option, value).isBlank()) {
                throw new ConfigurationException("Option '" + option + "' must not be blank.");
            }
            return value;
        }
    }
}
