package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.approval.Approver;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.ProcessorContext;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever reaches a model has the limit of a tool result, wherever it comes from. */
class BoundedTextTest {

    private static final String LONG = "e".repeat(5_000_000);

    /** The limit, and what is said beside the text. */
    private static final int MOST = 65_536 + 1_024;

    private static final Tool FAILS =
            Steps.tool("look", (in, context) -> Steps.failing(new ToolFailureException(LONG)));

    private static Script oneCall(String agent, String tool, String arguments) {
        return Scripts.on(agent).callsRaw(tool, arguments).then().says("Done");
    }

    private static Ran run(Agent agent, String tool, String arguments, Consumer<RunOptions.Builder> options) {
        return bounded(Both.run(agent, options, () -> oneCall(agent.id(), tool, arguments)));
    }

    /** Every message of every request but what the model itself said. */
    private static Ran bounded(Ran ran) {
        assertThat(ran.result()).hasStatus(RunStatus.COMPLETED);
        List<ModelRequest> requests = ran.script().requests();
        assertThat(requests).hasSizeGreaterThan(1);
        for (ModelRequest request : requests) {
            assertThat(request.messages()).allSatisfy(BoundedTextTest::isBounded);
        }
        assertThat(requests.stream()
                        .flatMap(request -> request.messages().stream())
                        .map(BoundedTextTest::text)
                        .filter(text -> text.contains("[Cut here: ")))
                .as("what says that it was cut")
                .isNotEmpty();
        return ran;
    }

    private static void isBounded(Message message) {
        assertThat(message.role() == Role.ASSISTANT ? 0 : text(message).length())
                .as(text(message).substring(0, Math.min(100, text(message).length())))
                .isLessThan(MOST);
    }

    private static String text(Message message) {
        return message.text()
                + message.toolResults().stream().map(Part.ToolResult::output).collect(Collectors.joining());
    }

    private static String error(Ran ran) {
        return ran.result().toolResults().getFirst().error().orElseThrow();
    }

    @Test
    void aFailureOfATool() {
        Ran ran = run(Crew.solo(FAILS), "look", "{}", o -> {});
        assertThat(error(ran))
                .startsWith("eee")
                .contains("65536 of 5000000 bytes")
                .hasSizeLessThan(MOST);
        assertThat(ran.facts()).as("the whole is kept").anyMatch(fact -> fact.contains(LONG));
    }

    @Test
    void anExposedException() {
        Tool tool = Tool.builder("look", "Looks.")
                .input(Crew.ANYTHING)
                .exposeErrors()
                .handler((in, context) -> Steps.failing(new IllegalStateException(LONG)))
                .build();
        assertThat(error(run(Crew.solo(tool), "look", "{}", o -> {}))).hasSizeLessThan(MOST);
    }

    @Test
    void theReasonOfAGuard() {
        Ran ran = run(Crew.solo(Crew.OK), "ok", "{}", o -> o.beforeToolCall(call -> ToolCallDecision.deny(LONG)));
        assertThat(error(ran))
                .startsWith("Tool 'ok' was not called. Reason: eee")
                .hasSizeLessThan(MOST);
    }

    @Test
    void theReasonOfARejectedDelegation() {
        run(
                Crew.supervisor(),
                "agent-researcher",
                "{\"prompt\":\"P\"}",
                o -> o.onDelegationStart(start -> DelegationDecision.reject(LONG)));
    }

    @Test
    void theReasonOfADeclinedApproval() {
        try (TestRuntime test = Crew.playing(oneCall("solo", "ok", "{}"), Crew.solo(Crew.OK.requiringApproval()))) {
            var waiting = test.agent("solo").generate("Do the task");
            test.runtime()
                    .decline(waiting.pendingApprovals().getFirst(), Approver.of("eve"), LONG)
                    .result();
            assertThat(test.script().requests().getLast().messages()).allSatisfy(BoundedTextTest::isBounded);
        }
    }

    @Test
    void argumentsThatBreakTheSchemaInManyPlaces() {
        String list = IntStream.range(0, 60_000).mapToObj(i -> "\"a\"").collect(Collectors.joining(","));
        Tool tool = Tool.of("look", "Looks.", Numbers.class, (in, context) -> "never");
        Ran ran = run(
                Crew.solo(tool), "look", "{\"values\":[" + list + "]}", o -> o.limit(Limit.TOOL_RESULT_BYTES, 2_000));
        assertThat(error(ran)).contains("/values/0: string found", "[Cut here: ");
        assertThat(tool.input().violations(Json.parse("{\"values\":[" + list + "]}")))
                .hasSizeLessThan(100)
                .last()
                .asString()
                .contains("more");
    }

    record Numbers(List<Integer> values) {}

    @Test
    void oneViolationThatQuotesALongValue() {
        JsonSchema schema = JsonSchema.of(Json.parse(
                "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":{\"type\":\"string\"}}}"));
        String key = "k".repeat(40_000);
        assertThat(schema.violations(Json.of(Map.of(key, 1))))
                .singleElement()
                .asString()
                .hasSizeLessThan(2_000);
    }

    @Test
    void theNameOfAToolThatIsNotThere() {
        run(Crew.solo(Crew.OK), "n".repeat(300_000), "{}", o -> {});
    }

    @Test
    void theFeedbackOfAHook() {
        bounded(Both.run(
                Crew.solo(),
                o -> o.onIterationComplete(context ->
                        context.iteration() == 1 ? IterationDecision.proceedWith(LONG) : IterationDecision.proceed()),
                Turn.says("First"),
                Turn.says("Second")));
    }

    @Test
    void theFeedbackOfScorersWithWhatIsToBeDoneAboutIt() {
        Ran ran = bounded(Both.run(
                Crew.solo(),
                o -> o.completion(Completion.all(
                        Scorer.of("a", context -> context.step() == 1 ? Score.fail(LONG) : Score.pass("ok")),
                        Scorer.of("b", context -> context.step() == 1 ? Score.fail(LONG) : Score.pass("ok")))),
                Turn.says("First"),
                Turn.says("Second")));
        assertThat(ran.request("solo", 2).getLast())
                .contains("- a: failed", "- b: failed")
                .endsWith("give the whole answer again.");
    }

    @Test
    void theFeedbackOnADelegationAndWhatReplacesItsText() {
        for (DelegationVerdict verdict : List.of(
                DelegationVerdict.accept().withFeedback(LONG),
                DelegationVerdict.accept().withText(LONG))) {
            bounded(Both.run(
                    Crew.supervisor(), o -> o.onDelegationComplete(context -> verdict), Scripts::oneDelegation));
        }
    }

    @Test
    void whatAProcessorSaysOfAnAnswerThatIsToBeMadeAgain() {
        OutputStepProcessor strict = new OutputStepProcessor() {
            @Override
            public String name() {
                return "strict";
            }

            @Override
            public Processed<ModelResponse> processOutputStep(ProcessorContext context, ModelResponse answer) {
                return answer.text().equals("First") ? Processed.retry(LONG) : Processed.unchanged();
            }
        };
        Ran ran = bounded(
                Both.run(Crew.solo(), o -> o.outputProcessors(strict), Turn.says("First"), Turn.says("Second")));
        assertThat(ran.request("solo", 2).getLast()).endsWith("Answer again in a way that avoids this.");
    }

    @Test
    void aResultThatIsReferredTo() {
        Ran ran = bounded(Both.run(
                Crew.supervisor(),
                o -> o.enableResultReferences(true),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P"),
                        Turn.callsRaw("agent-writer", "{\"prompt\":\"Write\",\"contextFromRefs\":[\"researcher-1\"]}"),
                        Turn.says("Done")),
                Turns.saying("researcher", "f".repeat(300_000)),
                Turns.saying("writer", "Draft")));
        assertThat(ran.request("writer", 1).getLast()).contains("[Cut here: 65536 of 300000 bytes are shown.");
    }

    @Test
    void aNetworksDecisionThatIsNone() {
        bounded(Both.ways(Turns.saying("supervisor", Routed.agent("p".repeat(200_000), "Find"), Routed.none("Done")))
                .agent(Crew.supervisor())
                .options(o -> o.limit(Limit.TOOL_RESULT_BYTES, 2_000))
                .network()
                .run());
    }

    @Test
    void aResultInTheMessagesThatARunBeginsWith() {
        Message call = Message.of(Role.ASSISTANT, new Part.ToolCall("c1", null, "ok", "{}"));
        Message result = Message.of(Role.TOOL, new Part.ToolResult("c1", "ok", LONG, true));
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done"), Crew.solo(Crew.OK))) {
            test.agent("solo").generate(List.of(Message.user("Go"), call, result, Message.user("And?")), o -> {});
            assertThat(test.script().requests().getLast().messages()).allSatisfy(BoundedTextTest::isBounded);
        }
    }
}
