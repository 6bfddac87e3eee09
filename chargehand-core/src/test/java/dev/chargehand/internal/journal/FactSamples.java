package dev.chargehand.internal.journal;

import dev.chargehand.RunOptions;
import dev.chargehand.ValuesOf;
import dev.chargehand.approval.WaitKind;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.HookDecision;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.Refusal;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.RootNotes;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.option.RunKind;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.Budget;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.Limit;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.Prices;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.Usage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.version.Version;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Facts with a value in every field; no map has more than one entry, since the order of entries is not promised. */
final class FactSamples {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123456789Z");
    private static final Instant LATER = Instant.parse("2026-01-02T00:00:00Z");
    private static final Spending SPENT =
            new Spending(1, 2, 3, new BigDecimal("0.000045"), Map.of("agent", new Usage(10, 20, 5, 6)));
    private static final StopReason FAILED =
            new StopReason.Failed("model-error", "It failed \ud800.", true, "provider \udc00 words");
    private static final ChildEnd END =
            new ChildEnd(new RunId("child"), "agent", RunStatus.FAILED, FAILED, "text", SPENT);

    private FactSamples() {}

    static Stream<Fact> all() {
        return Stream.of(
                        Stream.of(started(settings()), said(), answered(), callOpened(), callClosed(), stepClosed()),
                        rounds(),
                        Stream.of(
                                TaskSamples.EXECUTION_STARTED,
                                new Fact.Suspended(LATER, AT),
                                new Fact.Resumed("owner \"\u00e4\u2028\ud83d\ude00\"", 3, AT),
                                new Fact.Recalled(
                                        1,
                                        "openai/text-embedding-3-small",
                                        List.of(new RecalledRange("thread", 3, 6, 0.75)),
                                        true,
                                        4L,
                                        new RootNotes("resource", "thread", 5),
                                        new ObservedHistory(
                                                List.of(
                                                        new ObservedHistory.Seen("thread", 9, 38),
                                                        new ObservedHistory.Seen("other", 2, 11)),
                                                40,
                                                1234,
                                                2,
                                                true,
                                                true),
                                        "problem",
                                        SPENT,
                                        AT,
                                        LATER),
                                processed(),
                                new Fact.CallParked(
                                        "call",
                                        2,
                                        WaitKind.DATA,
                                        "digest",
                                        "requester",
                                        Json.parse("{\"b\":1.25,\"a\":[]}"),
                                        Json.of(Map.of("type", "string")),
                                        Json.of(Map.of("asked", true)),
                                        LATER,
                                        AT),
                                AnswerSamples.DECIDED),
                        bare(),
                        Stream.of(TaskSamples.bareStarted("resource")),
                        reasons().map(reason -> new Fact.Stopped(reason, "partial", SPENT, List.of("m1"), AT)))
                .flatMap(facts -> facts);
    }

    private static Stream<Fact> rounds() {
        return Stream.of(
                new RoundFact.Planned(
                        2,
                        "notify",
                        3,
                        List.of(new PlannedCall("call", "notify[0]", "mail", "\"ann\"")),
                        List.of("other"),
                        "[]",
                        1,
                        AT),
                new RoundFact.CallRetried("call", 1, "error", LATER, AT),
                new RoundFact.CallRetried("call", 2, "error", LATER, AT)
                        .with(END)
                        .with(SPENT),
                new RoundFact.RoundClosed(2, new StopReason.Finished(), true, "[\"mailed\"]", AT));
    }

    /** Facts that lack whatever may be missing. */
    private static Stream<Fact> bare() {
        return Stream.of(
                TaskSamples.bareStarted(null),
                new Fact.Answered(
                        1,
                        "a/b",
                        "",
                        "",
                        List.of(new RequestedCall("call", null, "tool", "")),
                        FinishReason.MISSING,
                        Usage.NONE,
                        1,
                        BigDecimal.ZERO,
                        null,
                        null,
                        AT,
                        AT),
                new Fact.Processed(0, null, false, false, null, Spending.NOTHING, AT),
                new Fact.CallOpened("call", CallKind.REPEATABLE, "digest", null, AT),
                new Fact.CallParked("call", 1, WaitKind.INTERRUPTED, "digest", null, null, null, null, AT, AT),
                new Fact.CallDecided("call", 1, CallAnswer.EXPIRED, null, null, null, null, null, AT),
                new Fact.CallClosed("call", Json.of(null), null, null, null, null, null, null, null, AT),
                new Fact.StepClosed(
                        1, null, null, null, List.of(), null, false, Spending.NOTHING, null, null, List.of(), AT));
    }

    static Fact.Started started(OptionValues settings) {
        return new Fact.Started(
                "agent",
                "The agent",
                AgentPath.parse("boss/agent"),
                new RunId("root"),
                new RunId("parent"),
                "call",
                new ThreadLink("thread", new ThreadOwner("resource", "boss/agent"), 7, 2L),
                "resource",
                messages(),
                List.of(Message.user("Go"), Message.system("Be brief.")),
                "instructions",
                settings,
                List.of("stopWhen", "onFinish"),
                Map.of("key", Json.of(List.of(1, 2.5, "x"))),
                List.of("provider/model"),
                new ForkOrigin(new RunId("old"), 2, List.of("input")),
                true,
                true,
                new DefinitionLink("2", List.of("then check: check"), Json.parse("{\"count\":0}")),
                TaskSamples.BACKGROUND,
                AT);
    }

    static OptionValues settings() {
        RunOptions options = RunOptions.defaults().with(FactSamples::plain).with(o -> o.subAgentContext(
                        SubAgentContext.lastMessages(5).filterInternalMessages(false))
                .bailStrategy(BailStrategy.LAST)
                .cancelSiblings(true)
                .includeSubAgentToolResultsInModelContext(true)
                .enableResultReferences(true)
                .requireToolApproval(true)
                .approvalExpiry(Duration.ofHours(1))
                .selfApproval(false)
                .requester("requester")
                .structuredOutput(new StructuredOutput(
                        JsonSchema.of(Json.parse("{\"type\":\"object\"}")),
                        StructuredOutput.OnInvalid.FALLBACK,
                        Json.parse("{\"a\":null}"),
                        List.of("provider/small"))));
        return ValuesOf.options(options).with(Options.KIND, RunKind.NETWORK);
    }

    private static void plain(RunOptions.Builder options) {
        options.maxSteps(4)
                .toolCallConcurrency(3)
                .retries(1)
                .toolChoice(ToolChoice.tool("look"))
                .activeTools("look")
                .limit(Limit.MODEL_CALLS, 5)
                .limit(Limit.OUTPUT_CHARACTERS, 5_000_000_000L)
                .timeLimit(TimeLimit.RUN, Duration.ofMinutes(90))
                .timeLimit(TimeLimit.HOOK, Duration.ofMillis(5))
                .budget(none -> new Budget(1_000L, new BigDecimal("1.50"), Duration.ofSeconds(61), 9))
                .prices(Prices.NONE.with(
                        "provider/model",
                        new Prices.Price(new BigDecimal("1.25"), new BigDecimal("10"), new BigDecimal("0.125"))))
                .busyThread(BusyThreadPolicy.REJECT)
                .hookPolicy(Hook.PREPARE_STEP, HookPolicy.CONTINUE)
                .modelSettings(none -> new ModelSettings(0.5, 0.9, 100, 42L, List.of("END"), "low"))
                .metadata("tag", "value")
                .maxProcessorRetries(2)
                .hookTimeLimit(Hook.ON_DELEGATION_START, Duration.ofSeconds(7))
                .version("agent", Version.id("2026-11"))
                .defaultVersion(Version.published().orCode())
                .pauseAfterEach()
                .memory(memory -> memory.readOnly()
                        .lastMessages(5)
                        .withoutSemanticRecall()
                        .semanticRecall(recall -> recall.topK(7)
                                .messageRange(0, 2)
                                .scope(Scope.THREAD)
                                .threshold(0.25)));
    }

    private static List<Message> messages() {
        return List.of(
                new Message(
                        "lone \ud800", Role.USER, List.of(new Part.Image("image/png", "https://e.org/a.png")), true),
                new Message(
                        "m2",
                        Role.ASSISTANT,
                        List.of(
                                new Part.Reasoning("hm", "{\"signature\":\"\udc00s\"}"),
                                new Part.Text("I act.\n"),
                                new Part.ToolCall("call", "p1", "look", "{\"it\":\"x\"}"),
                                new Part.ToolCall("call2", null, "look", "not JSON")),
                        false),
                new Message(
                        "m3",
                        Role.TOOL,
                        List.of(
                                new Part.ToolResult("call", "look", "Saw.", false),
                                new Part.ToolResult("call2", "look", "Not valid.", true)),
                        false));
    }

    private static Fact said() {
        return new Fact.Said(2, messages(), AT);
    }

    private static Fact answered() {
        return new Fact.Answered(
                1,
                "provider/model",
                "text \ud83d\ude00",
                "reasoning",
                List.of(new RequestedCall("call", "p1", "tool", "{\"a\":1}")),
                FinishReason.TOOL_CALLS,
                new Usage(1, 2, 3, 4),
                2,
                new BigDecimal("0.0000000125"),
                List.of("tool"),
                "{\"signature\":\"s\"}",
                AT,
                LATER);
    }

    private static Fact processed() {
        return new Fact.Processed(
                1,
                new StopReason.Tripwire("guard", ProcessorPhase.INPUT_STEP, "Not this.", Json.of(Map.of("rule", 7))),
                true,
                true,
                "answer",
                SPENT,
                AT);
    }

    private static Fact callOpened() {
        return new Fact.CallOpened(
                "call",
                CallKind.CHILD,
                "digest",
                new ChildLink(
                        new RunId("child"),
                        "agent",
                        null,
                        "2026-11",
                        "prompt",
                        "instructions",
                        3,
                        RequestContext.of(RequestContext.Key.of("key", String.class), "value"),
                        messages(),
                        new Budget(100L, new BigDecimal("0.5"), Duration.ofMinutes(1), 7)),
                AT);
    }

    private static Fact callClosed() {
        return new Fact.CallClosed(
                "call",
                Json.parse("{\"text\":\"x\"}"),
                "view",
                "error",
                "detail",
                new Refusal("agent", null, "No."),
                END,
                new ChildVerdict(1, "empty-answer", "feedback"),
                new RoundFact.StepEffects(Json.parse("{\"shared\":null}"), SPENT),
                AT);
    }

    private static Fact stepClosed() {
        return new Fact.StepClosed(
                1,
                new StopReason.TaskComplete(),
                new StopReason.StoppedByHook(),
                HookDecision.STOP,
                List.of("feedback"),
                new CompletionResult(
                        false,
                        List.of(new ScorerResult(
                                "scorer", 0.25, 1, false, "reason", Duration.ofMillis(1500), "error-1")),
                        Duration.ofSeconds(2)),
                true,
                SPENT,
                new ObjectResult(Json.of(List.of(1)), true, "problem"),
                "answer",
                List.of("m1"),
                AT);
    }

    private static Stream<StopReason> reasons() {
        return Stream.of(
                new StopReason.Finished(),
                new StopReason.TaskComplete(),
                new StopReason.Bailed("agent", "call", null),
                new StopReason.Bailed("agent", "call", "empty-answer"),
                new StopReason.StoppedByHook(),
                new StopReason.TaskIncomplete(),
                new StopReason.StopConditionMet(3),
                new StopReason.MaxStepsReached(10),
                new StopReason.BudgetExhausted("tokens"),
                new StopReason.LimitReached("modelCalls"),
                new StopReason.OutputTruncated(),
                new StopReason.ContentFiltered(),
                new StopReason.AnswerIncomplete(),
                new StopReason.Tripwire("guard", ProcessorPhase.INPUT, "Not this.", null),
                new StopReason.Tripwire("guard", ProcessorPhase.OUTPUT_STREAM, "No.", Json.parse("{\"a\":[1]}")),
                new StopReason.Suspended(),
                new StopReason.Cancelled("caller"),
                new StopReason.Failed("model-timeout", "It \"failed\".", false));
    }
}
