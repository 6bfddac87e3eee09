package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.PrimitiveType;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the router of a network decides, and what becomes of a decision that is none. */
class NetworkDecisionsTest extends NetworkFixture {

    private static final String GOOD = Routed.agent("researcher", "Find");

    private static Script first(String first) {
        return Scripts.on("supervisor").says(first).then();
    }

    private static Script goingOn(Script script) {
        return script.says(GOOD)
                .then()
                .says(Routed.complete("ok", ""))
                .on("researcher")
                .says("FA");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            I think the researcher should do it.                                                              | JSON
            {"primitiveId":"researcher","primitiveType":"agent","prompt":"Find"}                              | selectionReason
            {"primitiveId":"researcher","primitiveType":"robot","prompt":"Find","selectionReason":"r"}        | primitiveType
            {"primitiveId":"painter","primitiveType":"agent","prompt":"Find","selectionReason":"r"}           | There is no agent 'painter'. Available: agent researcher, agent writer, tool look.
            {"primitiveId":"look","primitiveType":"agent","prompt":"Find","selectionReason":"r"}              | There is no agent 'look'.
            {"primitiveId":"researcher","primitiveType":"tool","prompt":"Find","selectionReason":"r"}         | There is no tool 'researcher'.
            {"primitiveId":"researcher","primitiveType":"workflow","prompt":"Find","selectionReason":"r"}     | There is no workflow 'researcher'.
            """)
    void aDecisionThatIsNoneIsGivenBackOnceWithTheReason(String wrong, String reason) {
        Ran ran = network(() -> goingOn(first(wrong))).run();
        List<String> again = ran.request("supervisor", 2);
        assertThat(again).startsWith(ran.request("supervisor", 1).toArray(String[]::new));
        assertThat(again.get(again.size() - 2)).isEqualTo("assistant: " + wrong);
        assertThat(again.getLast()).contains(reason);
        assertThat(ran.script().requestsOf("supervisor").get(1).output())
                .isEqualTo(ran.script().requestsOf("supervisor").getFirst().output());
        assertThat(ran.all(RunEvent.StepRetry.class)).singleElement().satisfies(retry -> assertThat(retry.code())
                .isEqualTo("invalid-decision"));
        // one iteration, and both of its answers are paid for
        assertThat(ran.result()).hasText("FA").hasUsage(Usage.of(20, 10)).hasTotalUsage(Usage.of(40, 20));
        assertThat(ran.result().steps()).hasSize(1);
        // what was wrong is not told to the router again later, nor kept
        assertThat(ran.result().messages().stream().map(Wire::line).toList()).noneMatch(line -> line.contains(wrong));
    }

    @Test
    void whatIsNoDecisionTwiceFailsTheRunVisibly() {
        Ran ran = network(() -> first("Hm.").says("Hm again.")).run();
        assertThat(ran.failure()).isNotNull();
        assertThat(ran.failure().code()).isEqualTo("invalid-decision");
        assertThat(ran.failure().retryable()).isFalse();
        assertThat(ran.result()).hasStatus(RunStatus.FAILED).hasText("").hasUsage(Usage.of(20, 10));
        assertThat(Routed.types(ran.events()))
                .containsExactly(
                        "run-start",
                        "routing-agent-start",
                        "step-retry",
                        "routing-agent-end",
                        "network-execution-event-step-finish",
                        "error",
                        "run-finish");
        assertThat(ran.all(RunEvent.RoutingAgentEnd.class).getFirst().primitiveId())
                .isNull();
    }

    @Test
    void aFencedDecisionIsOne() {
        Ran ran = network(() -> goingOn(first("```json\n" + Routed.tool("look", "{\"q\":\"a\"}") + "\n```")
                        .says(Routed.incomplete("more"))
                        .then()))
                .run();
        assertThat(ran.result().toolResults()).hasSize(2);
        assertThat(ran.result()).hasText("FA");
    }

    @Test
    void aModelWithoutAFormatOfItsOwnIsToldTheSchemaInWords() {
        Ran ran = network(() -> goingOn(Scripts.on("supervisor")).withoutResponseFormat())
                .run();
        assertThat(ran.request("supervisor", 1).getFirst()).contains("\"primitiveId\"", "JSON Schema");
        assertThat(ran.result()).hasText("FA");
    }

    @Test
    void theRouterMayAnswerItself() {
        Ran ran = run(Turns.saying("supervisor", Routed.none("It is 4.")));
        assertThat(ran.result()).finished().hasText("It is 4.").hasTotalUsage(Usage.of(10, 5));
        assertThat(Routed.types(ran.events()))
                .containsExactly(
                        "run-start",
                        "routing-agent-start",
                        "routing-agent-text-start",
                        "routing-agent-text-delta",
                        "routing-agent-text-end",
                        "routing-agent-end",
                        "network-execution-event-step-finish",
                        "network-execution-event-finish",
                        "run-finish");
        RunEvent.RoutingAgentEnd end = ran.all(RunEvent.RoutingAgentEnd.class).getFirst();
        assertThat(end.primitiveType()).isEqualTo(PrimitiveType.NONE);
        assertThat(end.selectionReason()).isEqualTo("because");
    }

    @Test
    void aRouterThatHasNothingToSayMeansWhatWasFoundLast() {
        Ran ran = network(() -> first(GOOD)
                        .says(Routed.incomplete("perhaps"))
                        .then()
                        .says(Routed.none(""))
                        .on("researcher")
                        .says("FA"))
                .run();
        assertThat(ran.result()).finished().hasText("FA");
    }

    @Test
    void aRouterThatHasNothingToSayAtAllMeansItsReason() {
        Ran ran = run(Turns.saying("supervisor", Routed.decision("", "none", " ", "There is nothing to do.")));
        assertThat(ran.result()).finished().hasText("There is nothing to do.");
    }

    @Test
    void aDecisionThatWasCutEndsTheRunAsAnyAnswerDoes() {
        Ran ran = run(Turns.of(
                "supervisor", Turn.of(t -> t.says("{\"primitiveId\":\"resea").finishes(FinishReason.LENGTH))));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.OutputTruncated())
                .hasText("");
    }

    @Test
    void aModelThatFailsWhenTheDecisionIsGivenBackFailsTheRunWithWhatWasSpent() {
        Ran ran = network(() ->
                        first("Hm.").failsWith(new ModelException(ModelException.Kind.INVALID_REQUEST, "no", null)))
                .run();
        assertThat(ran.failure()).isNotNull();
        assertThat(ran.failure().code()).isEqualTo("model-invalid-request");
        assertThat(ran.result()).hasStatus(RunStatus.FAILED).hasUsage(Usage.of(10, 5));
    }

    @Test
    void aDecisionHalfOfWhichArrivedIsNoText() {
        Ran ran = run(Turns.of(
                "supervisor",
                Turn.says("{\"primitiveId\":")
                        .and(Turn.failsWith(new ModelException(ModelException.Kind.PROTOCOL, "broken", null)))));
        assertThat(ran.failure()).isNotNull();
        assertThat(ran.result()).hasText("");
        assertThat(ran.result().messages()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not JSON", "{\"q\":7}", "[]"})
    void argumentsThatDoNotFitAreAnErrorResultThatTheRouterSees(String arguments) {
        Ran ran = network(() -> goingOn(first(Routed.tool("look", arguments))
                        .says(Routed.incomplete("nothing yet"))
                        .then()))
                .run();
        assertThat(ran.request("supervisor", 3))
                .anyMatch(line -> line.startsWith("user: <error-") && line.contains("of=\"tool look\""));
        assertThat(ran.result()).toolFailed("look", "look").hasText("FA");
        assertThat(ran.all(RunEvent.NetworkStepFinish.class).getFirst().text()).isEmpty();
    }

    record Wanted(String topic) {}

    @Test
    void anAgentWithATypedInputGetsThePromptAsItsArguments() {
        Agent researcher = Crew.agent("researcher", agent -> agent.input(Wanted.class));
        Ran ran = Both.ways(
                        Turns.saying(
                                "supervisor",
                                Routed.agent("researcher", "{\"topic\":\"bees\"}"),
                                Routed.complete("ok", "")),
                        Turns.saying("researcher", "Buzz"))
                .agent(Crew.supervisorOf(researcher))
                .network()
                .run();
        assertThat(ran.request("supervisor", 1).getFirst()).contains("\"topic\"");
        assertThat(ran.request("researcher", 1).getLast()).isEqualTo("user: {\"topic\":\"bees\"}");
        assertThat(ran.result()).hasText("Buzz");
    }

    @Test
    void anAgentWithATypedInputIsAskedAgainIfThePromptDoesNotFit() {
        Agent researcher = Crew.agent("researcher", agent -> agent.input(Wanted.class));
        Ran ran = Both.ways(
                        Turns.saying(
                                "supervisor",
                                Routed.agent("researcher", "Find bees"),
                                Routed.incomplete("not asked"),
                                Routed.agent("researcher", "{\"topic\":\"bees\"}"),
                                Routed.complete("ok", "")),
                        Turns.saying("researcher", "Buzz"))
                .agent(Crew.supervisorOf(researcher))
                .network()
                .run();
        assertThat(ran.request("supervisor", 3))
                .contains("assistant: " + Routed.agent("researcher", "Find bees"))
                .anyMatch(line -> line.startsWith("user: <error-") && line.contains("invalid JSON"));
        assertThat(ran.result()).hasText("Buzz");
    }

    @Test
    void aDecisionMayHaveMoreThanItNeeds() {
        String more = GOOD.replace("{", "{\"confidence\":0.9,");
        Ran ran = run(Turns.saying("supervisor", more, Routed.complete("ok", "")), Turns.saying("researcher", "FA"));
        assertThat(ran.result()).hasText("FA");
        assertThat(ran.result().usage()).isEqualTo(Usage.of(10, 5));
    }

    @Test
    void aPrimitiveThatIsNotActiveIsNotThere() {
        Ran ran = network(() -> first(Routed.agent("writer", "Write")).says(Routed.none("Nobody writes.")))
                .options(o -> o.activeTools("agent-researcher", "look"))
                .run();
        assertThat(ran.request("supervisor", 1).getFirst()).doesNotContain("writer");
        assertThat(ran.request("supervisor", 2).getLast())
                .contains("There is no agent 'writer'. Available: agent researcher, tool look.");
        assertThat(ran.result()).finished().hasText("Nobody writes.");
    }

    @Test
    void aRouterWithoutToolsCanOnlyAnswer() {
        Ran ran = network(() -> first(GOOD).says(Routed.none("Alone.")))
                .options(o -> o.toolChoice(ToolChoice.none()))
                .run();
        assertThat(ran.request("supervisor", 2).getLast()).contains("No primitive is available; use none.");
        assertThat(ran.result()).finished().hasText("Alone.");
    }

    @Test
    void prepareStepChangesWhatTheRouterIsAsked() {
        Ran ran = network(() -> goingOn(Scripts.on("supervisor")))
                .options(o -> o.prepareStep(step -> StepPlan.unchanged()
                        .withActiveTools("agent-researcher")
                        .withModelSettings(ModelSettings.DEFAULT.temperature(0.0))))
                .run();
        assertThat(ran.request("supervisor", 1).getFirst()).doesNotContain("writer", "look");
        assertThat(ran.script().requestsOf("supervisor").getFirst().settings().temperature())
                .isEqualTo(0.0);
        assertThat(ran.result()).hasText("FA");
    }

    @Test
    void toolsThatARouterCallsInsteadOfDecidingAreNotCalled() {
        Ran ran = run(Turns.of("supervisor", Turn.calls("look", "{}"), Turn.says(Routed.none("As you say."))));
        RunResult result = ran.result();
        assertThat(result.toolResults()).isEmpty();
        assertThat(result).finished().hasText("As you say.");
    }
}
