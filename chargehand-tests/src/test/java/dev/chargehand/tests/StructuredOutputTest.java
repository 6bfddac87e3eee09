package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.ConfigurationException;
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
        return Both.ways(() -> {
                    var script = ScriptedModel.script().on("solo").says(first);
                    for (String more : then) {
                        script.then().says(more);
                    }
                    return script;
                })
                .options(options)
                .run();
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
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .then()
                        .says("{\"a\":1}")
                        .on("researcher")
                        .says("FA"))
                .agent(Crew.supervisor())
                .options(o -> o.structuredOutput(StructuredOutput.of(JsonSchema.of(Json.parse(
                        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}},\"required\":[\"a\"]}")))))
                .run();
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
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .withoutResponseFormat()
                        .on("supervisor")
                        .says(BAD)
                        .then()
                        .says(GOOD))
                .agent(Crew.supervisor())
                .options(o -> o.structuredOutput(Analysis.class))
                .run();
        String schema = JsonSchema.of(Analysis.class).json().text();
        for (int number = 1; number <= 2; number++) {
            assertThat(ran.request("supervisor", number).getFirst())
                    .isEqualTo("system: You supervise.\n\nAnswer with nothing but one JSON value that fits this JSON"
                            + " Schema:\n" + schema);
        }
        assertThat(ran.result().messages()).noneMatch(message -> message.text().contains(schema));
        Ran alone = Both.ways(() -> ScriptedModel.script()
                        .withoutResponseFormat()
                        .on("solo")
                        .says(GOOD))
                .options(o -> o.structuredOutput(Analysis.class))
                .run();
        assertThat(alone.request("solo", 1)).hasSize(2).first().asString().contains(schema);
    }

    @Test
    void anAnswerThatDoesNotFitIsMendedInOneMoreAnswerWithoutTools() {
        Ran ran = Both.ways(
                        () -> ScriptedModel.script().on("solo").says(BAD).then().says(GOOD))
                .agent(Crew.solo(Crew.LOOK))
                .options(o -> o.structuredOutput(Analysis.class).maxSteps(1))
                .run();
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
        assertThatThrownBy(() -> analysis().fallback(Map.of("summary", "S")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("points");
    }

    @Test
    void aMendedAnswerThatWasCutEndsTheRunWithoutAnObject() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says(BAD)
                        .then()
                        .says("{\"summ")
                        .finishes(FinishReason.LENGTH))
                .options(o -> o.structuredOutput(analysis().fallback(ANALYSIS)))
                .run();
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.OutputTruncated());
        assertThat(ran.result().object()).isEmpty();
    }

    @Test
    void aRunThatEndsWithoutAnAnswerHasNoObject() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says("Let me see.")
                        .and()
                        .calls("look", Map.of()))
                .agent(Crew.solo(Crew.LOOK))
                .options(o -> o.structuredOutput(Analysis.class).maxSteps(1))
                .run();
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.MaxStepsReached(1));
        assertThat(ran.result().structured()).isEmpty();
        assertThatThrownBy(() -> ran.result().object(Analysis.class)).hasMessageContaining("max-steps-reached");
    }

    @Test
    void theOneAnswerAfterAStopWithFeedbackIsMendedToo() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says("Draft")
                        .then()
                        .says(BAD)
                        .then()
                        .says(GOOD))
                .options(o -> o.structuredOutput(Analysis.class)
                        .onIterationComplete(it -> IterationDecision.stopWith("Wrap up.")))
                .run();
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.StoppedByHook());
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
        assertThat(ran.script().requests()).hasSize(3);
    }

    @Test
    void anAnswerThatScorersPassedIsMendedAndKeepsItsReason() {
        Ran ran = Both.ways(() ->
                        ScriptedModel.script().on("solo").says("Prose").then().says(GOOD))
                .options(o -> o.structuredOutput(Analysis.class).completion(Completion.all(Scorers.minLength(1))))
                .run();
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.TaskComplete());
        assertThat(ran.result().object(Analysis.class)).isEqualTo(ANALYSIS);
    }

    @Test
    void aRunThatStopsAfterAToolGivesItsObjectInOneMoreAnswer() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .calls("look", Map.of())
                        .then()
                        .says(GOOD))
                .agent(Crew.solo(Crew.LOOK))
                .options(o -> o.structuredOutput(Analysis.class).stopWhen(step -> true))
                .run();
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
        return Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .on("researcher")
                        .says(text))
                .agent(Crew.supervisor())
                .options(o -> o.structuredOutput(wanted).onDelegationComplete(DelegationCompleteContext::bail))
                .run();
    }

    @Test
    void aBudgetThatIsSpentEndsTheRunBeforeItsObjectIsMade() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says("In prose.")
                        .on("structurer")
                        .says(GOOD))
                .options(o ->
                        o.structuredOutput(analysis().structuredBy(STRUCTURER)).budget(budget -> budget.calls(1)))
                .run();
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.BudgetExhausted("calls"));
        assertThat(ran.result().text()).isEqualTo("In prose.");
    }

    @Test
    void aSubAgentHasTheStructuredOutputOfItsOwnDefaultsAndNotItsSupervisors() {
        Agent researcher = Agent.builder("researcher")
                .description("Finds.")
                .model("none/none")
                .defaultOptions(o -> o.structuredOutput(Analysis.class))
                .build();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .then()
                        .says("Done")
                        .on("researcher")
                        .says(BAD)
                        .then()
                        .says(BAD))
                .agent(Crew.supervisorOf(researcher))
                .run();
        assertThat(ran.result()).finished().hasText("Done").toolFailed("agent-researcher", "invalid-output");
    }

    @Test
    void aResultWithoutStructuredOutputHasNoObject() {
        RunResult result = saying(o -> {}, GOOD).result();
        assertThat(result.object()).isEmpty();
        assertThatThrownBy(() -> result.object(Analysis.class)).hasMessageContaining("structuredOutput");
    }
}
