package dev.chargehand.internal.option;

import static dev.chargehand.internal.option.OptionDeclaration.request;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream.OnClose;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Tasks;
import dev.chargehand.completion.Completion;
import dev.chargehand.event.RunListener;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationStartContext;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.MessageFilterContext;
import dev.chargehand.hook.StepContext;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.option.Option.Inheritance;
import dev.chargehand.internal.option.Option.Part;
import dev.chargehand.json.Json;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processor;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.Budget;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.Limits;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimits;
import dev.chargehand.step.StepResult;
import dev.chargehand.version.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Every option of a run, declared once. {@link dev.chargehand.RunOptions.Builder} sets them; nothing else lists them.
 *
 * <p>Settings are stored in the order of this file; those with a common group stand together.
 */
public final class Options {

    private static final List<Option<?>> DECLARED = new ArrayList<>(); // of this initialization only

    public static final Option<@Nullable Integer> MAX_STEPS = addOptional(
            OptionDeclaration.<Integer>optionalSetting("maxSteps").check(OptionChecks.atLeastOne("maxSteps")));

    public static final Option<Integer> TOOL_CALL_CONCURRENCY =
            add(OptionDeclaration.<Integer>setting("toolCallConcurrency", 10)
                    .check(OptionChecks.atLeastOne("toolCallConcurrency")));

    public static final Option<Integer> RETRIES =
            add(OptionDeclaration.<Integer>setting("retries", 2).check(OptionChecks.notNegative("retries")));

    public static final Option<ToolChoice> TOOL_CHOICE =
            add(OptionDeclaration.<ToolChoice>setting("toolChoice", ToolChoice.auto()));

    public static final Option<@Nullable List<String>> ACTIVE_TOOLS = addOptional(
            OptionDeclaration.<List<String>>optionalSetting("activeTools").check(List::copyOf));

    public static final Option<Limits> LIMITS = add(OptionDeclaration.<Limits>setting("limits", Limits.DEFAULT)
            .named("limit")
            .inherited(Inheritance.SHARED));

    public static final Option<TimeLimits> TIME_LIMITS =
            add(OptionDeclaration.<TimeLimits>setting("timeLimits", TimeLimits.DEFAULT)
                    .named("timeLimit")
                    .inherited(Inheritance.SHARED));

    public static final Option<Budget> BUDGET =
            add(OptionDeclaration.<Budget>setting("budget", Budget.NONE).inherited(Inheritance.SHARED));

    public static final Option<Prices> PRICES =
            add(OptionDeclaration.<Prices>setting("prices", Prices.NONE).inherited(Inheritance.SHARED));

    /** Without its filter, which is {@link #SUB_AGENT_FILTER}. */
    public static final Option<SubAgentContext> SUB_AGENT_CONTEXT =
            add(OptionDeclaration.<SubAgentContext>setting("subAgentContext", SubAgentContext.fullHistory())
                    .check(context -> context.withFilter(null)));

    public static final Option<BailStrategy> BAIL_STRATEGY =
            add(OptionDeclaration.<BailStrategy>setting("bailStrategy", BailStrategy.FIRST));

    public static final Option<Boolean> CANCEL_SIBLINGS =
            add(OptionDeclaration.<Boolean>setting("cancelSiblings", false));

    public static final Option<Boolean> SUB_AGENT_TOOL_RESULTS =
            add(OptionDeclaration.<Boolean>setting("includeSubAgentToolResults", false)
                    .named("includeSubAgentToolResultsInModelContext"));

    public static final Option<Boolean> RESULT_REFERENCES =
            add(OptionDeclaration.<Boolean>setting("resultReferences", false).named("enableResultReferences"));

    public static final Option<Boolean> ALL_TOOLS_NEED_APPROVAL = add(OptionDeclaration.<Boolean>setting("all", false)
            .named("requireToolApproval")
            .strictest(Boolean::logicalOr));

    public static final Option<Duration> APPROVAL_EXPIRY =
            add(OptionDeclaration.<Duration>setting("expiry", Duration.ofHours(24))
                    .named("approvalExpiry")
                    .check(OptionChecks.positive("approvalExpiry"))
                    .strictest((own, above) -> own.compareTo(above) < 0 ? own : above));

    public static final Option<Boolean> SELF_APPROVAL =
            add(OptionDeclaration.<Boolean>setting("selfApproval", true).strictest(Boolean::logicalAnd));

    public static final Option<@Nullable String> REQUESTER =
            addOptional(OptionDeclaration.<String>optionalSetting("requester")
                    .check(OptionChecks.notBlank("requester"))
                    .inherited(Inheritance.SHARED));

    public static final Option<BusyThreadPolicy> BUSY_THREAD =
            add(OptionDeclaration.<BusyThreadPolicy>setting("busyThread", BusyThreadPolicy.QUEUE));

    public static final Option<Map<Hook, HookPolicy>> HOOK_POLICIES =
            add(OptionDeclaration.<Map<Hook, HookPolicy>>setting("hookPolicies", Map.of())
                    .named("hookPolicy")
                    .check(OptionChecks::allowed)
                    .merge(OptionChecks.entriesOfBoth()));

    public static final Option<ModelSettings> MODEL_SETTINGS =
            add(OptionDeclaration.<ModelSettings>setting("modelSettings", ModelSettings.DEFAULT));

    public static final Option<Map<String, String>> METADATA =
            add(OptionDeclaration.<Map<String, String>>setting("metadata", Map.of())
                    .check(OptionChecks.entries("metadata"))
                    .merge(OptionChecks.entriesOfBoth())
                    .inherited(Inheritance.COPY));

    public static final Option<@Nullable StructuredOutput> STRUCTURED_OUTPUT =
            addOptional(OptionDeclaration.<StructuredOutput>optionalSetting("structuredOutput"));

    /** Set by the method that starts the run. */
    public static final Option<RunKind> KIND = add(OptionDeclaration.<RunKind>setting("kind", RunKind.ORDINARY));

    public static final Option<Integer> MAX_PROCESSOR_RETRIES =
            add(OptionDeclaration.<Integer>setting("maxProcessorRetries", 1)
                    .check(OptionChecks.notNegative("maxProcessorRetries")));

    public static final Option<Map<Hook, Duration>> HOOK_TIME_LIMITS =
            add(OptionDeclaration.<Map<Hook, Duration>>setting("hookTimeLimits", Map.of())
                    .named("hookTimeLimit")
                    .check(OptionChecks::positive)
                    .merge(OptionChecks.entriesOfBoth()));

    public static final Option<MemoryOptions> MEMORY =
            add(OptionDeclaration.<MemoryOptions>setting("memory", MemoryOptions.DEFAULT));

    /** The versions of agents, by the ids of these. */
    public static final Option<Map<String, Version>> VERSIONS =
            add(OptionDeclaration.<Map<String, Version>>setting("version", Map.of())
                    .check(OptionChecks.entries("version"))
                    .merge(OptionChecks.entriesOfBoth())
                    .above(OptionChecks.entriesOfBoth()));

    /** The version of all other agents. */
    public static final Option<@Nullable Version> DEFAULT_VERSION =
            addOptional(OptionDeclaration.<Version>optionalSetting("defaultVersion")
                    .above((own, above) -> above == null ? own : above));

    public static final Option<Boolean> PAUSE_AFTER_EACH =
            add(OptionDeclaration.<Boolean>setting("pauseAfterEach", false));

    public static final Option<@Nullable Function<StepContext, StepPlan>> PREPARE_STEP =
            addOptional(OptionDeclaration.<Function<StepContext, StepPlan>>hook("prepareStep")
                    .deciding());

    public static final Option<List<Predicate<StepContext>>> STOP_WHEN =
            add(OptionDeclaration.<Predicate<StepContext>>several("stopWhen").deciding());

    public static final Option<@Nullable Function<ToolCallRequest, ToolCallDecision>> BEFORE_TOOL_CALL =
            addOptional(OptionDeclaration.<Function<ToolCallRequest, ToolCallDecision>>hook("beforeToolCall")
                    .deciding());

    public static final Option<@Nullable Predicate<ToolCallRequest>> REQUIRE_TOOL_APPROVAL =
            addOptional(OptionDeclaration.<Predicate<ToolCallRequest>>hook("requireToolApproval")
                    .inherited(Inheritance.STRICTER)
                    .deciding());

    public static final Option<List<Processor>> INPUT_PROCESSORS =
            add(OptionDeclaration.<Processor>several("inputProcessors")
                    .check(OptionChecks.implementing(
                            "inputProcessors", List.of(InputProcessor.class, InputStepProcessor.class)))
                    .deciding());

    public static final Option<List<Processor>> OUTPUT_PROCESSORS = add(OptionDeclaration.<Processor>several(
                    "outputProcessors")
            .check(OptionChecks.implementing(
                    "outputProcessors",
                    List.of(OutputStreamProcessor.class, OutputStepProcessor.class, OutputResultProcessor.class)))
            .deciding());

    public static final Option<@Nullable Function<DelegationStartContext, DelegationDecision>> ON_DELEGATION_START =
            addOptional(
                    OptionDeclaration.<Function<DelegationStartContext, DelegationDecision>>hook("onDelegationStart")
                            .deciding());

    public static final Option<@Nullable Function<MessageFilterContext, List<Message>>> MESSAGE_FILTER =
            addOptional(OptionDeclaration.<Function<MessageFilterContext, List<Message>>>hook("messageFilter")
                    .deciding());

    /** The filter of {@link #SUB_AGENT_CONTEXT}. */
    public static final Option<@Nullable Predicate<Message>> SUB_AGENT_FILTER = addOptional(
            OptionDeclaration.<Predicate<Message>>hook("subAgentContext").deciding());

    public static final Option<@Nullable Function<DelegationCompleteContext, DelegationVerdict>>
            ON_DELEGATION_COMPLETE =
                    addOptional(OptionDeclaration.<Function<DelegationCompleteContext, DelegationVerdict>>hook(
                                    "onDelegationComplete")
                            .deciding());

    public static final Option<@Nullable Function<IterationContext, IterationDecision>> ON_ITERATION_COMPLETE =
            addOptional(OptionDeclaration.<Function<IterationContext, IterationDecision>>hook("onIterationComplete")
                    .deciding());

    public static final Option<@Nullable Completion> COMPLETION =
            addOptional(OptionDeclaration.<Completion>hook("completion").deciding());

    public static final Option<@Nullable Consumer<DelegationStartContext>> OBSERVE_DELEGATION_START =
            addOptional(OptionDeclaration.<Consumer<DelegationStartContext>>hook("observeDelegationStart"));

    public static final Option<@Nullable Consumer<StepResult>> ON_STEP_FINISH =
            addOptional(OptionDeclaration.<Consumer<StepResult>>hook("onStepFinish"));

    public static final Option<@Nullable Consumer<RunResult>> ON_FINISH =
            addOptional(OptionDeclaration.<Consumer<RunResult>>hook("onFinish"));

    public static final Option<@Nullable Consumer<RunResult>> ON_ERROR =
            addOptional(OptionDeclaration.<Consumer<RunResult>>hook("onError"));

    public static final Option<@Nullable Consumer<RunResult>> ON_ABORT =
            addOptional(OptionDeclaration.<Consumer<RunResult>>hook("onAbort"));

    public static final Option<List<RunListener>> LISTENERS =
            add(OptionDeclaration.<RunListener>several("listeners").inherited(Inheritance.SHARED));

    public static final Option<@Nullable String> THREAD =
            addOptional(OptionDeclaration.<String>optionalRequest("thread").check(OptionChecks.notBlank("thread")));

    public static final Option<@Nullable String> RESOURCE =
            addOptional(OptionDeclaration.<String>optionalRequest("resource")
                    .check(OptionChecks.notBlank("resource"))
                    .inherited(Inheritance.COPY));

    public static final Option<RequestContext> REQUEST_CONTEXT = add(request("requestContext", RequestContext.empty())
            .merge(RequestContext::merge)
            .inherited(Inheritance.COPY));

    /** Of the call that starts the run: it is stored with the run, but not as a setting. */
    public static final Option<@Nullable String> IDEMPOTENCY_KEY =
            addOptional(OptionDeclaration.<String>optionalRequest("idempotencyKey")
                    .check(OptionChecks.key("idempotencyKey"))
                    .inherited(Inheritance.NONE));

    /** Of the call, as its key: what must be the same when the call is repeated, in addition to the input. */
    public static final Option<@Nullable String> IDEMPOTENCY_DIGEST =
            addOptional(OptionDeclaration.<String>optionalRequest("idempotencyDigest")
                    .check(OptionChecks.key("idempotencyDigest"))
                    .inherited(Inheritance.NONE));

    /** Of the stream that the call returns, so it is neither stored nor inherited. */
    public static final Option<OnClose> ON_CLOSE =
            add(request("onClose", OnClose.CANCEL).inherited(Inheritance.NONE));

    /** Of the stream that the call returns, so it is neither stored nor inherited. */
    public static final Option<Tasks> TASK_EVENTS =
            add(request("events", Tasks.STATES).inherited(Inheritance.NONE));

    /** Of the call that starts the run, which is stored with what the run has to do with tasks; else as its agent says. */
    public static final Option<@Nullable OnEnd> ON_END =
            addOptional(OptionDeclaration.<OnEnd>optionalRequest("onEnd").inherited(Inheritance.NONE));

    /** Of the call that sends a message, which may answer a run that waits, so it is neither stored nor inherited. */
    public static final Option<Boolean> AUTO_RESUME =
            add(request("autoResumeSuspendedTools", false).inherited(Inheritance.NONE));

    /** Of the call that starts the run of a workflow, which is stored as facts of the run. */
    public static final Option<@Nullable EntryStart> FROM =
            addOptional(OptionDeclaration.<EntryStart>optionalRequest("from").inherited(Inheritance.NONE));

    /** Of the call that starts the run of a workflow, which is stored with what the run started with. */
    public static final Option<@Nullable Json> INITIAL_STATE =
            addOptional(OptionDeclaration.<Json>optionalRequest("initialState").inherited(Inheritance.NONE));

    private static final List<Option<?>> ALL = List.copyOf(DECLARED);

    private static final List<Option<?>> SETTINGS = of(Part.SETTINGS);

    private Options() {}

    private static List<Option<?>> of(Part part) {
        List<Option<?>> found = new ArrayList<>();
        for (Option<?> option : ALL) {
            if (option.part() == part) {
                found.add(option);
            }
        }
        return List.copyOf(found);
    }

    private static <T extends @Nullable Object> Option<T> add(OptionDeclaration<T> declaration) {
        Option<T> option = new Option<>(DECLARED.size(), declaration);
        DECLARED.add(option);
        return option;
    }

    /** Add an option that a run may lack. */
    @SuppressWarnings("NullAway") // a value is checked and merged only if there is one
    private static <T> Option<@Nullable T> addOptional(OptionDeclaration<T> declaration) {
        Option<@Nullable T> option = new Option<@Nullable T>(DECLARED.size(), declaration);
        DECLARED.add(option);
        return option;
    }

    /** Return all options, in order. */
    public static List<Option<?>> all() {
        return ALL;
    }

    /** Return the options that are stored as the settings of a run, in the order of their fields. */
    public static List<Option<?>> settings() {
        return SETTINGS;
    }
}
