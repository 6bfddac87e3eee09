package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.InvalidOutputException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A run whose answer is to be an object. */
class StructuredOutputTest extends AnalysisFixture {

    private static Ran saying(Consumer<RunOptions.Builder> options, String first, String... then) {
        return Both.run(Crew.solo(), options, () -> {
            var script = Scripts.on("solo").says(first);
            for (String more : then) {
                script.then().says(more);
            }
            return script;
        });
    }

    private static List<RunEvent.ObjectResult> told(Ran ran) {
        return ran.events().stream()
                .filter(RunEvent.ObjectResult.class::isInstance)
                .map(RunEvent.ObjectResult.class::cast)
                .toList();
    }

    @Test
    void theAnswerIsTheObject() {
        Ran ran = saying(o -> o.structuredOutput(Analysis.class), GOOD);
        assertThat(ran.result()).finished().hasText(GOOD);
        assertThat(ran.result()).hasObject(ANALYSIS);
        assertThat(ran.result().structured().orElseThrow().problem()).isNull();
        assertThat(told(ran)).singleElement().satisfies(event -> {
            assertThat(event.object()).isEqualTo(Json.parse(GOOD));
            assertThat(event.problem()).isNull();
        });
    }

    @Test
    void anAnswerInAMarkdownFenceIsTheObject() {
        Ran ran = saying(o -> o.structuredOutput(Analysis.class), "```json\n" + GOOD + "\n```");
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
    }

    @Test
    void theModelIsAskedForTheSchemaInEveryStep() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.structuredOutput(StructuredOutput.of(JsonSchema.of(Json.parse(
                        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}},\"required\":[\"a\"]}")))),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("{\"a\":1}")),
                Turns.saying("researcher", "FA"));
        assertThat(ran.result()).finished().hasText("{\"a\":1}");
        assertThat(ran.result().object()).contains(Json.parse("{\"a\":1}"));
        assertThat(ran.script().requestsOf("supervisor"))
                .allSatisfy(request -> assertThat(request.output()).isNotNull());
        assertThat(ran.script().requestsOf("researcher"))
                .allSatisfy(request -> assertThat(request.output()).isNull());
    }

    @Test
    void aModelWithAFormatOfItsOwnIsToldTheSchemaInTheRequestOnly() {
        Ran ran = saying(o -> o.structuredOutput(Analysis.class), GOOD);
        assertThat(ran.script().requests().getFirst().output()).isEqualTo(JsonSchema.of(Analysis.class));
        assertThat(ran.request("solo", 1)).containsExactly("user: Do the task");
    }

    @Test
    void aModelWithoutOneIsToldTheSchemaInItsInstructions() {
        Ran ran = Both.run(Crew.supervisor(), o -> o.structuredOutput(Analysis.class), () -> ScriptedModel.script()
                .withoutResponseFormat()
                .on("supervisor")
                .says(BAD)
                .then()
                .says(GOOD));
        String schema = JsonSchema.of(Analysis.class).json().text();
        for (int number = 1; number <= 2; number++) {
            assertThat(ran.request("supervisor", number).getFirst())
                    .isEqualTo("system: You supervise.\n\nAnswer with nothing but one JSON value that fits this JSON"
                            + " Schema:\n" + schema);
        }
        assertThat(ran.result().messages()).noneMatch(message -> message.text().contains(schema));
        Ran alone = Both.run(
                Crew.solo(),
                o -> o.structuredOutput(Analysis.class),
                () -> ScriptedModel.script().withoutResponseFormat().on("solo").says(GOOD));
        assertThat(alone.request("solo", 1)).hasSize(2).first().asString().contains(schema);
    }

    @Test
    void anAnswerThatDoesNotFitIsMendedInOneMoreAnswerWithoutTools() {
        Ran ran = Both.run(
                Crew.solo(Crew.LOOK),
                o -> o.structuredOutput(Analysis.class).maxSteps(1),
                Turn.says(BAD),
                Turn.says(GOOD));
        assertThat(ran.result()).finished().hasText(GOOD);
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
        ModelRequest second = ran.script().requests().getLast();
        assertThat(second.tools()).isEmpty();
        assertThat(second.toolChoice()).isEqualTo(ToolChoice.none());
        assertThat(second.messages().getLast().internal()).isTrue();
        assertThat(second.messages().getLast().text())
                .startsWith("The answer is not what was asked for: ")
                .contains("/points", "confidence");
        assertThat(told(ran)).hasSize(1);
    }

    @Test
    void aTextThatIsNoJsonIsMendedToo() {
        Ran ran = saying(o -> o.structuredOutput(Analysis.class), "Sure!", GOOD);
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
    }

    @Test
    void aStrictRunFailsIfItsAnswerStillDoesNotFit() {
        Ran ran = saying(o -> o.structuredOutput(Analysis.class), BAD, BAD);
        assertThat(ran.failure()).isNotNull();
        assertThat(ran.failure().code()).isEqualTo(InvalidOutputException.CODE);
        assertThat(ran.failure().retryable()).isFalse();
        assertThat(ran.result().status()).isEqualTo(RunStatus.FAILED);
        assertThat(ran.result().text()).isEqualTo(BAD);
        assertThat(ran.result().steps()).hasSize(2);
        assertThat(ran.result().stopReason().explanation()).contains("/points");
        assertThat(ran.result().object()).isEmpty();
        assertThatThrownBy(() -> ran.result().object(Analysis.class))
                .isInstanceOf(InvalidOutputException.class)
                .hasMessageContaining("/points");
        assertThat(ran.events()).extracting(RunEvent::type).contains("error", "object-result");
    }

    @Test
    void aWarningRunEndsWithItsTextAndSaysWhatIsWrong() {
        Ran ran = saying(o -> o.structuredOutput(analysis().warn()), BAD, BAD);
        assertThat(ran.result()).finished().hasText(BAD).hasNoObject();
        assertThat(ran.result().structured().orElseThrow().problem()).contains("/points");
        assertThat(told(ran)).singleElement().satisfies(event -> {
            assertThat(event.object()).isNull();
            assertThat(event.problem()).contains("/points");
        });
    }

    @Test
    void aRunWithAFallbackHasItForItsObject() {
        Analysis nothing = new Analysis("", List.of(), 0);
        Ran ran = saying(o -> o.structuredOutput(analysis().fallback(nothing)), BAD, "Sorry.");
        assertThat(ran.result()).finished().hasText("Sorry.");
        assertThat(ran.result().object(Analysis.class)).isEqualTo(nothing);
        assertThat(ran.result().structured().orElseThrow().fallback()).isTrue();
        assertThat(ran.result().structured().orElseThrow().problem()).isNotBlank();
        assertThat(told(ran)).singleElement().matches(RunEvent.ObjectResult::fallback);
    }

    @Test
    void aFallbackThatDoesNotFitIsRefusedBeforeAnythingIsStarted() {
        Steps.assertMisconfigured(() -> analysis().fallback(Map.of("summary", "S")), "points");
    }

    @Test
    void aMendedAnswerThatWasCutEndsTheRunWithoutAnObject() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.structuredOutput(analysis().fallback(ANALYSIS)),
                Turn.says(BAD),
                Turn.of(t -> t.says("{\"summ").finishes(FinishReason.LENGTH)));
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.OutputTruncated());
        assertThat(ran.result().object()).isEmpty();
    }

    @Test
    void aRunThatEndsWithoutAnAnswerHasNoObject() {
        Ran ran = Both.run(
                Crew.solo(Crew.LOOK),
                o -> o.structuredOutput(Analysis.class).maxSteps(1),
                Turn.says("Let me see.").and(Turn.calls("look", Map.of())));
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.MaxStepsReached(1));
        assertThat(ran.result().structured()).isEmpty();
        assertThatThrownBy(() -> ran.result().object(Analysis.class)).hasMessageContaining("max-steps-reached");
    }

    @Test
    void theOneAnswerAfterAStopWithFeedbackIsMendedToo() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.structuredOutput(Analysis.class)
                        .onIterationComplete(it -> IterationDecision.stopWith("Wrap up.")),
                Turn.says("Draft"),
                Turn.says(BAD),
                Turn.says(GOOD));
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.StoppedByHook());
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
        assertThat(ran.script().requests()).hasSize(3);
    }

    @Test
    void anAnswerThatScorersPassedIsMendedAndKeepsItsReason() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.structuredOutput(Analysis.class).completion(Completion.all(Scorers.minLength(1))),
                Turn.says("Prose"),
                Turn.says(GOOD));
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.TaskComplete());
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
    }

    @Test
    void aRunThatStopsAfterAToolGivesItsObjectInOneMoreAnswer() {
        Ran ran = Both.run(
                Crew.solo(Crew.LOOK),
                o -> o.structuredOutput(Analysis.class).stopWhen(step -> true),
                Turn.calls("look", Map.of()),
                Turn.says(GOOD));
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StopConditionMet(0))
                .hasObject(ANALYSIS);
    }

    @Test
    void theTextOfABailIsJudgedButNotMended() {
        Ran good = bailing(GOOD, analysis());
        assertThat(good.result()).hasText(GOOD);
        assertThat(good.result().object(Analysis.class)).isEqualTo(ANALYSIS);
        Ran bad = bailing("Prose", analysis().fallback(ANALYSIS));
        assertThat(bad.result()).hasText("Prose");
        assertThat(bad.result().structured().orElseThrow().fallback()).isTrue();
        assertThat(bad.script().requestsOf("supervisor")).hasSize(1);
    }

    private static Ran bailing(String text, StructuredOutput wanted) {
        return Both.run(
                Crew.supervisor(),
                o -> o.structuredOutput(wanted).onDelegationComplete(DelegationCompleteContext::bail),
                Turns.of("supervisor", Turn.delegates("researcher", "P")),
                Turns.saying("researcher", text));
    }

    @Test
    void aBudgetThatIsSpentEndsTheRunBeforeItsObjectIsMade() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.structuredOutput(analysis().structuredBy(STRUCTURER)).budget(budget -> budget.calls(1)),
                Turns.saying("solo", "In prose."),
                Turns.saying("structurer", GOOD));
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.BudgetExhausted("calls"));
        assertThat(ran.result().text()).isEqualTo("In prose.");
    }

    @Test
    void aSubAgentHasTheStructuredOutputOfItsOwnDefaultsAndNotItsSupervisors() {
        Agent researcher =
                Crew.agent("researcher", agent -> agent.defaultOptions(o -> o.structuredOutput(Analysis.class)));
        Ran ran = Both.run(
                Crew.supervisorOf(researcher),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.saying("researcher", BAD, BAD));
        assertThat(ran.result()).finished().hasText("Done").toolFailed("agent-researcher", "invalid-output");
    }

    @Test
    void aResultWithoutStructuredOutputHasNoObject() {
        RunResult result = saying(o -> {}, GOOD).result();
        assertThat(result.object()).isEmpty();
        assertThatThrownBy(() -> result.object(Analysis.class)).hasMessageContaining("structuredOutput");
    }
}
