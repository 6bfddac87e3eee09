package dev.chargehand.tests.golden;

import dev.chargehand.RunOptions;
import dev.chargehand.background.OnEnd;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.version.Version;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the saved runs were asked for, and with which options. Part of the corpus: a case is never changed, only added. */
enum Case {
    FINISHED("look:x @researcher:Find @writer:Write | send:mail @researcher:More", Case::everything),
    TASK_COMPLETE(
            "look:x",
            o -> o.completion(Completion.all(Scorer.of("long", Case::third)).keepScores())),
    TASK_INCOMPLETE(
            "look:x",
            o -> o.completion(Completion.any(Scorer.of("never", context -> Score.fail("Never.")))
                    .continueOnFail(false))),
    BAILED("@researcher:Find @writer:Write", o -> o.bailStrategy(BailStrategy.LAST)
            .onDelegationComplete(end -> end.key().equals("writer")
                    ? end.bail().withFeedback("Taken.")
                    : end.accept().withFeedback("Fine."))),
    BAILED_ON_FAILURE(
            "@failing:Try", o -> o.onDelegationComplete(end -> end.bail().withText("What we have."))),
    STOPPED_BY_HOOK("look:x | look:y", o -> o.onIterationComplete(it -> IterationDecision.stopWith("Wrap up."))),
    STOP_CONDITION_MET("look:x | look:y", o -> o.stopWhen(List.of(step -> false, step -> true))),
    MAX_STEPS_REACHED("look:x | look:y | look:z", o -> o.maxSteps(2)),
    BUDGET_EXHAUSTED("look:x | look:y | look:z", o -> o.budget(budget -> budget.tokens(25))),
    LIMIT_REACHED("look:x | look:x | look:x | look:x", o -> {}),
    OUTPUT_TRUNCATED("look:x | cut", o -> {}),
    CONTENT_FILTERED("filtered", o -> {}),
    ANSWER_INCOMPLETE("missing", o -> {}),
    CANCELLED("look:x | @sleeper:Sleep", o -> {}),
    FAILED("look:x @failing:Try | fail", o -> {}),
    HOOKS("@researcher:Find @writer:Write | look:y", o -> o.onDelegationStart(
                    start -> start.key().equals("writer")
                            ? DelegationDecision.reject("Not now.")
                            : DelegationDecision.proceed()
                                    .withPrompt(start.prompt() + "!")
                                    .withInstructions("Be brief.")
                                    .withMaxSteps(3))
            .onIterationComplete(
                    it -> it.iteration() == 1 ? IterationDecision.proceedWith("Go on.") : IterationDecision.proceed())),
    SPECIALIST("@scribe:One | @scribe:Two", o -> {}),
    NAMED("@named:Find look:x", o -> o.hookTimeLimit(Hook.ON_ITERATION_COMPLETE, Duration.ofSeconds(7))
            .onIterationComplete(it -> IterationDecision.proceed())),
    UNSAFE("send:mail pay:bill look:x", o -> {}),
    ONE_APPROVAL("look:x remove:y", o -> o.requester("ann").resource("u").thread("t")),
    NESTED_APPROVAL("@remover:y look:x", o -> o.resource("u").thread("t")),
    TWO_APPROVALS("remove:x @remover:y", o -> {}),
    /** One of two calls is approved with a reason. */
    APPROVED_WITH_REASON("remove:x @remover:y", o -> {}),
    DATA("ask:it look:x", o -> {}),
    ALL_NEED_APPROVAL("look:x | @researcher:Find", o -> o.requireToolApproval(true)),
    OBJECT("look:x | json", o -> o.structuredOutput(seen())),
    OBJECT_MENDED("@researcher:Find | mend", o -> o.structuredOutput(seen())
            .onIterationComplete(it -> IterationDecision.proceed())),
    OBJECT_STRICT("look:x", o -> o.structuredOutput(seen())),
    OBJECT_WARNED("look:x", o -> o.structuredOutput(seen().warn())),
    OBJECT_BY_FALLBACK("look:x", o -> o.structuredOutput(seen().fallback(Map.of("seen", 0)))),
    OBJECT_BY_ANOTHER_MODEL(
            "look:x", o -> o.structuredOutput(seen().fallback(Map.of("seen", 0)).structuredBy("scripted/structurer"))),
    NETWORK("look:x | @researcher:Find | @writer:Write", o -> o.thread("t").resource("u")),
    NETWORK_OBJECT("look:x | json", o -> o.thread("t").resource("u").structuredOutput(seen())),
    NETWORK_APPROVAL("@remover:y | remove:x", o -> o.thread("t").resource("u")),
    NETWORK_FAILED("look:x | nobody", o -> o.thread("t").resource("u")),
    PROCESSED("look:x @researcher:Find", Case::processed),
    TRIPWIRE("look:x", o -> o.thread("t")
            .resource("u")
            .outputProcessors(OutputStepProcessor.of(
                    "guard",
                    (context, answer) -> answer.toolCalls().isEmpty()
                            ? Processed.<ModelResponse>abort("Not this.").withMetadata(Json.parse("{\"rule\":7}"))
                            : Processed.unchanged()))),
    VERSIONED("@remover:y remove:x", o -> o.version("remover", Version.id("2"))),
    /** The workflow of the corpus, with its input. */
    WORKFLOW("tea", o -> {}),
    /** The same, cancelled while it waits for its second attempt. */
    WORKFLOW_CANCELLED("tea", o -> {}),
    /** A run that waits for data, and the message look:42. */
    REPLIED("ask:it look:x", o -> o.thread("t").resource("u")),
    SUBMITTED("look:x", o -> o.thread("t").resource("u")),
    /** The small workflow of the corpus, from its last entry but one. */
    WORKFLOW_FROM("tea", o -> o.from("steep", Map.of("boil", "given"))),
    /** The same from its beginning, with a pause before each round. */
    WORKFLOW_PAUSED("tea", o -> o.pauseAfterEach()),
    /** A task, and the turn that reads its result: a line for each message of the user. */
    BACKGROUND_RESULT("@helper:bees\nAnd?", o -> o.thread("t").resource("u")),
    BACKGROUND_APPROVAL("@remover:bees\nAnd?", o -> o.thread("t").resource("u")),
    BACKGROUND_RETRY("@flaky:bees\nAnd?", o -> o.thread("t").resource("u")),
    /** A message whose task is followed by a turn without one. */
    UNTIL_IDLE("@helper:bees", o -> o.thread("t").resource("u")),
    /** The same without a caller that waits for it. */
    BACKGROUND_CONTINUED("@helper:bees", o -> o.thread("t").resource("u").onEnd(OnEnd.CONTINUE));

    private static StructuredOutput seen() {
        return StructuredOutput.of(JsonSchema.of(Json.parse(
                "{\"type\":\"object\",\"properties\":{\"seen\":{\"type\":\"integer\"}},\"required\":[\"seen\"]}")));
    }

    private final String task;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Consumer<RunOptions.Builder> options;

    Case(String task, Consumer<RunOptions.Builder> options) {
        this.task = task;
        this.options = options;
    }

    /** Tells whether it is for the boss as the router of a network. */
    boolean isNetwork() {
        return name().startsWith("NETWORK");
    }

    boolean isWorkflow() {
        return name().startsWith("WORKFLOW");
    }

    /** Tells whether it is a conversation with background tasks, and so has several root runs. */
    boolean isConversation() {
        return this == UNTIL_IDLE || name().startsWith("BACKGROUND");
    }

    String task() {
        return task;
    }

    Consumer<RunOptions.Builder> options() {
        return options;
    }

    /** References, a conversation, the request, words to find the run by, prices. */
    private static void everything(RunOptions.Builder o) {
        o.enableResultReferences(true)
                .includeSubAgentToolResultsInModelContext(true)
                .thread("t")
                .resource("u")
                .requestContext(RequestContext.of(RequestContext.Key.of("tenant", String.class), "acme"))
                .metadata("case", "finished")
                .prices(Prices.NONE.with("scripted/boss", new BigDecimal("1.5"), new BigDecimal("6")));
    }

    /** An input that is rewritten, an answer that is made again, and a result that is another. */
    private static void processed(RunOptions.Builder o) {
        o.thread("t")
                .resource("u")
                .maxProcessorRetries(2)
                .inputProcessors(InputProcessor.of(
                        "input",
                        (context, messages) -> Processed.rewritten(
                                List.of(Message.user(messages.getFirst().text().replace(":x", ":y"))))))
                .outputProcessors(
                        OutputStepProcessor.of(
                                "step",
                                (context, answer) -> answer.toolCalls().isEmpty() && context.retryCount() == 0
                                        ? Processed.retry("Once more.")
                                        : Processed.unchanged()),
                        OutputResultProcessor.of("result", (context, text) -> Processed.rewritten(text + "!")));
    }

    private static Score third(ScorerContext context) {
        return context.step() < 3 ? Score.of(0.25, "Too early.") : Score.pass();
    }
}
