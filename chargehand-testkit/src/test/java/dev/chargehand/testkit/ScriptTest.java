package dev.chargehand.testkit;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ScriptTest {

    record Question(String q) {}

    private final Tool look = Tool.of("look", "Looks.", Question.class, (in, ctx) -> "seen " + in.q());
    private final Agent researcher = Agent.builder("researcher")
            .description("Finds facts.")
            .model("openai/gpt-5-mini")
            .tools(look)
            .build();
    private final Agent supervisor = Agent.builder("supervisor")
            .instructions("Delegate.")
            .model("openai/gpt-5.1")
            .agents(researcher)
            .build();

    private static RunResult run(Script script, Agent agent) {
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = test.bind(agent).generate("Go");
            script.assertExhausted();
            return result;
        }
    }

    @Test
    void eachAgentSaysWhatTheScriptTellsIt() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Find facts")
                .then()
                .says("Done [1]")
                .on("researcher")
                .says("Fact A [1]");
        assertThat(run(script, supervisor))
                .finished()
                .hasText("Done [1]")
                .delegatedTo("researcher", "Find facts")
                .hasUsage(Usage.of(20, 10))
                .hasTotalUsage(Usage.of(30, 15))
                .hasUsageOf("researcher", Usage.of(10, 5));
        assertThat(script.askedAgents()).containsExactly("supervisor", "researcher", "supervisor");
        assertThat(script.requestsOf("researcher")).singleElement().satisfies(request -> assertThat(
                        request.messages().getLast().text())
                .isEqualTo("Find facts"));
        assertThat(script.requests()).hasSize(3);
    }

    @Test
    void partsOfOneTurnAreJoined() {
        Script script = ScriptedModel.script()
                .on("researcher")
                .reasons("Hm.")
                .and()
                .says("I look. ")
                .and()
                .calls("look", "{\"q\":\"a\"}")
                .inPiecesOf(3)
                .and()
                .calls("look", Map.of("q", "b"))
                .withCallId(null)
                .uses(1, 2)
                .then()
                .says("Seen.")
                .finishes(FinishReason.LENGTH);
        RunResult result = run(script, researcher);
        assertThat(result.steps().getFirst().text()).isEqualTo("I look. ");
        assertThat(result.steps().getFirst().reasoning()).isEqualTo("Hm.");
        assertThat(result.steps().getFirst().usage()).isEqualTo(Usage.of(1, 2));
        assertThat(result.toolResults())
                .extracting(outcome -> outcome.output().orElseThrow().string().orElseThrow())
                .containsExactly("seen a", "seen b");
        assertThat(script.requests().getLast().messages().get(1).toolCalls())
                .extracting(call -> call.providerId())
                .containsExactly("c1", null);
        assertThat(result).hasStatus(RunStatus.INCOMPLETE);
    }

    @Test
    void aTurnThatWaitsForARequestIsPlayedToThatRequestOnly() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "P1")
                .and()
                .delegates("researcher", "P2")
                .then()
                .says("Both")
                .on("researcher")
                .says("second")
                .whenAsked("P2")
                .then()
                .says("first")
                .whenAsked("P1");
        assertThat(run(script, supervisor).toolResults())
                .extracting(outcome -> outcome.output().orElseThrow().string().orElseThrow())
                .containsExactly("first", "second");
    }

    @Test
    void aComputedAnswerSeesItsRequest() {
        Script script = ScriptedModel.script()
                .on("researcher")
                .answers(request ->
                        ModelResponse.text(request.messages().getLast().text() + "!", Usage.NONE));
        assertThat(run(script, researcher)).hasText("Go!").hasTotalUsage(Usage.NONE);
    }

    @Test
    void aTurnForeverAnswersEveryCall() {
        Script script = ScriptedModel.script().on("researcher").says("Same").forever();
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(researcher);
            assertThat(agent.generate("1")).hasText("Same");
            assertThat(agent.generate("2")).hasText("Same");
        }
    }

    @Test
    void anExhaustedScriptFailsTheRunAndNamesAgentCallAndQuestion() {
        Script script = ScriptedModel.script().on("researcher").calls("look", Map.of("q", "a"));
        TestRuntime test = TestRuntime.with(script);
        assertThatThrownBy(() -> test.bind(researcher).generate("Go"))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("Call 2 of the model of agent 'researcher' has no turn")
                .hasMessageContaining("its only turn is played. Add another with .then()")
                .hasMessageContaining("seen a")
                .hasMessageContaining("tools: look");
        assertThatThrownBy(test::close).isInstanceOf(ScriptMismatchException.class);
    }

    @Test
    void theMessageOfAMismatchIsRightInGrammarAndPunctuation() {
        TestRuntime test = TestRuntime.with(ScriptedModel.script().on("researcher"));
        assertThatThrownBy(() -> test.bind(researcher).generate("Go"))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("It was asked: USER \"Go\" (1 message; tools: look).")
                .message()
                .endsWith("look).")
                .doesNotContain("..", "1 messages", "1 turns");
        assertThatThrownBy(test::close).isInstanceOf(ScriptMismatchException.class);
    }

    @Test
    void aMismatchBelowASupervisorFailsTheTestThoughTheRunGoesOn() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "P")
                .then()
                .says("Done")
                .on("researcher")
                .says("never")
                .whenAsked("something else");
        TestRuntime test = TestRuntime.with(script);
        assertThat(test.bind(supervisor).generate("Go")).hasText("Done");
        assertThatThrownBy(test::close)
                .hasMessageContaining("agent 'researcher'")
                .hasMessageContaining("something else");
    }

    @Test
    void delegatingToASubAgentThatIsNotOfferedIsAMismatch() {
        Script script = ScriptedModel.script().on("supervisor").delegates("writer", "P");
        TestRuntime test = TestRuntime.with(script);
        assertThatThrownBy(() -> test.bind(supervisor).generate("Go")).hasMessageContaining("'writer'");
    }

    @Test
    void turnsThatNobodyAskedForAreReported() {
        Script script = ScriptedModel.script().on("researcher").says("a").then().says("b");
        try (TestRuntime test = TestRuntime.with(script)) {
            test.bind(researcher).generate("Go");
        }
        assertThatThrownBy(script::assertExhausted).hasMessageContaining("agent 'researcher': 1 of 2");
    }

    @Test
    void aNamedModelIsNeverReached() {
        Script script = ScriptedModel.script();
        TestRuntime test = TestRuntime.with(script);
        assertThatThrownBy(() -> test.bind(researcher).generate("Go")).hasMessageContaining("openai/gpt-5-mini");
        assertThatThrownBy(script::assertMatched).isInstanceOf(ScriptMismatchException.class);
    }

    @Test
    void aFailureMayComeInTheMiddleOfAnAnswer() {
        Script script = ScriptedModel.script()
                .on("researcher")
                .streams("Hal", "f ")
                .and()
                .failsWith(new ModelException(ModelException.Kind.PROTOCOL, "broken", null));
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThatThrownBy(() -> test.bind(researcher).generate("Go"))
                    .isInstanceOfSatisfying(RunFailedException.class, e -> {
                        assertThat(e.code()).isEqualTo("model-protocol");
                        assertThat(e.result()).hasText("Half ");
                    });
        }
    }

    @Test
    void aModelThatHangsEndsWhenItsRunIsCancelled() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("researcher")
                .does(asked::countDown)
                .and()
                .hangs();
        try (TestRuntime test = TestRuntime.with(script);
                var run = test.bind(researcher).stream("Go")) {
            asked.await();
            run.cancel();
            assertThat(run.result()).hasStatus(RunStatus.ABORTED);
        }
    }

    @Test
    void aDeafModelIsLeftBehind() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("researcher")
                .does(asked::countDown)
                .and()
                .hangsUntil(release);
        try (TestRuntime test = TestRuntime.with(script);
                var run = test.bind(researcher).stream("Go")) {
            asked.await();
            run.cancel();
            assertThat(run.result()).hasStatus(RunStatus.ABORTED);
            assertThat(test.runtime().abandonedCalls()).containsExactly("model scripted/researcher");
        } finally {
            release.countDown();
        }
    }

    @Test
    void anAnswerWithoutDeltasIsTheSameAnswer() {
        Script script = ScriptedModel.script().on("researcher").says("Whole").withoutDeltas();
        assertThat(run(script, researcher)).hasText("Whole");
    }

    @Test
    void aScriptThatCannotBeMeantIsRefusedWhileItIsWritten() {
        Script script = ScriptedModel.script();
        assertThatThrownBy(() -> script.says("x")).hasMessageContaining("on(agentId)");
        script.on("a").says("x");
        assertThatThrownBy(() -> script.says("y")).hasMessageContaining("then()");
        assertThatThrownBy(() -> script.withCallId("c9")).hasMessageContaining("needs a call");
        assertThatThrownBy(() -> script.then().calls("t", "{")).isInstanceOf(InvalidJsonException.class);
    }

    @Test
    void idsCountFromOneAndEndedRunsStay() {
        Script script = ScriptedModel.script().on("researcher").says("a");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result =
                    test.bind(researcher).generate("Go", o -> o.thread("t1").resource("u1"));
            assertThat(result.runId().value()).isEqualTo("run_1");
            assertThat(test.runtime().runs(RunFilter.ROOTS)).hasSize(1);
            assertThat(test.thread("t1", "u1")).extracting(Message::text).isEqualTo(List.of("Go", "a"));
        }
    }

    @Test
    void aModelWithoutTurnsNamesItsAgentAndTheTurnsThatNobodyUsed() {
        Script script = ScriptedModel.script().on("superviser").says("Done");
        Agent alone = Agent.builder("supervisor").model("openai/gpt-5.1").build();
        assertThatThrownBy(() -> {
                    try (TestRuntime test = TestRuntime.with(script)) {
                        test.bind(alone).generate("Go");
                    }
                })
                .hasMessageContaining("add .on(\"supervisor\") for the agent that uses it.")
                .hasMessageContaining("Not asked so far: .on(\"superviser\").");
    }

    @Test
    void aTextThatIsNullIsRefusedWhereItIsGiven() {
        assertThatThrownBy(() -> ScriptedModel.script().on("supervisor").says(null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("says(null)");
    }
}
