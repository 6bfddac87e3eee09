package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Runs the examples about delegations with scripted models. */
class DelegationExamplesTest {

    private static final String MODEL = "openai/gpt-5-mini";

    @Test
    void aUserWhoDoesNotPayIsAnsweredByAnotherAgent() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("premium-agent", "Forecast")
                .then()
                .delegates("free-agent", "Forecast")
                .then()
                .says("Nobody knows for certain.")
                .on("free-agent")
                .says("Growth, probably.");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result =
                    PremiumAgent.answer(test.bind(PremiumAgent.supervisor("scripted/premium-agent")), "?", false);
            assertThat(result).finished().toolFailed("agent-premium-agent", "Premium required");
            assertThat(script.askedAgents()).containsExactly("supervisor", "supervisor", "free-agent", "supervisor");
        }
    }

    @Test
    void aUserWhoPaysGetsThePremiumAgentWithAPromptThatAsksForBrevity() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("premium-agent", "Forecast")
                .then()
                .says("Growth of 8 %.")
                .on("premium-agent")
                .says("8 %");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result =
                    PremiumAgent.answer(test.bind(PremiumAgent.supervisor("scripted/free-agent")), "?", true);
            assertThat(result).finished().hasText("Growth of 8 %.");
            assertThat(lastMessage(script.requestsOf("premium-agent").getFirst()))
                    .isEqualTo("Forecast\n\nBe concise.");
        }
    }

    @Test
    void us4ABailSavesTheTokensOfTheSupervisorsLastAnswer() {
        String report = "Sales fell, then rose.\n\n## Conclusion\nGood.";
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("data-analyst", "Analyse")
                .and()
                .uses(100, 20)
                .then()
                .says(report)
                .uses(160, 40)
                .then()
                .delegates("data-analyst", "Analyse")
                .and()
                .uses(100, 20)
                .on("data-analyst")
                .says(report)
                .uses(50, 30)
                .forever();
        try (TestRuntime test = TestRuntime.with(script)) {
            ByteArrayOutputStream shown = new ByteArrayOutputStream();
            BailSavings.compare(
                    test.bind(BailSavings.supervisor(MODEL)), new PrintStream(shown, true, StandardCharsets.UTF_8));
            assertThat(shown.toString(StandardCharsets.UTF_8)).contains("saved:        200 of 400 tokens (50 %)");
            script.assertExhausted();
        }
    }

    @Test
    void us4TheTextOfTheAgentThatBailedIsTheAnswer() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("supervisor")
                .delegates("data-analyst", "Analyse")
                .on("data-analyst")
                .says("## Conclusion\nGood."))) {
            RunResult result = BailSavings.withBail(test.bind(BailSavings.supervisor(MODEL)));
            assertThat(result).hasText("## Conclusion\nGood.");
            assertThat(result.stopReason()).isInstanceOf(StopReason.Bailed.class);
        }
    }

    @Test
    void us5AndUs9EveryDelegationIsALineWithItsEndItsDurationAndItsTokens() {
        List<String> log = new CopyOnWriteArrayList<>();
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("premium-agent", "Forecast")
                .then()
                .delegates("free-agent", "Forecast")
                .then()
                .says("Done")
                .on("free-agent")
                .says("Growth");
        try (TestRuntime test = TestRuntime.builder(script)
                .manualClock()
                .addListener(DelegationLog.listener(log::add))
                .build()) {
            PremiumAgent.answer(test.bind(PremiumAgent.supervisor("scripted/premium-agent")), "?", false);
        }
        assertThat(log)
                .containsExactly(
                        "!! supervisor/premium-agent rejected: Premium required",
                        "-> supervisor/free-agent",
                        "<- supervisor/free-agent finished 0 ms 15 tokens");
    }

    @Test
    void us3SubAgentsSeeTheConversationWithoutWhatTheFilterKeepsBack() {
        Script script = sharedContextScript();
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = SharedContext.plan(
                    test.bind(SharedContext.supervisor(MODEL)),
                    List.of(
                            Message.user("confidential: margins"),
                            Message.assistant("Noted."),
                            Message.user("Write a post")));
            assertThat(result).finished().hasText("Spring is here.");
            assertThat(script.requestsOf("researcher").getFirst().messages())
                    .extracting(Message::text)
                    .containsExactly("Noted.", "Write a post", "Facts about spring");
        }
    }

    @Test
    void us3AResultIsHandedOverWordForWordAndATypedAnswerIsJson() {
        Script script = sharedContextScript();
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = SharedContext.plan(
                    test.bind(SharedContext.supervisor(MODEL)), List.of(Message.user("Write a post")));
            assertThat(lastMessage(script.requestsOf("writer").getFirst()))
                    .contains("Bulbs come first.")
                    .contains("\"subject\":\"spring\"");
            assertThat(result.toolResults().getLast().output().orElseThrow().as(SharedContext.Draft.class))
                    .isEqualTo(new SharedContext.Draft("Spring", "Is here."));
        }
    }

    @Test
    void theReasonOfARoutingDecisionIsLoggedAndTheAgentGetsTheTaskAlone() {
        List<String> log = new CopyOnWriteArrayList<>();
        Script script = ScriptedModel.script()
                .on("router")
                .calls("agent-climate", Map.of("task", "Spring in Tokyo?", "reason", "It knows the weather."))
                .then()
                .says("Mild.")
                .on("climate")
                .says("Mild.");
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThat(test.bind(RoutingReasons.router("scripted/planner", log::add))
                            .generate("Tokyo?"))
                    .finished();
            assertThat(log).containsExactly("climate: It knows the weather.");
            assertThat(lastMessage(script.requestsOf("climate").getFirst())).isEqualTo("Spring in Tokyo?");
        }
    }

    private static Script sharedContextScript() {
        return ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Facts about spring")
                .then()
                .calls(
                        "agent-writer",
                        Map.of("subject", "spring", "words", 80, "contextFromRefs", List.of("researcher-1")))
                .then()
                .says("Spring is here.")
                .on("researcher")
                .says("Bulbs come first.")
                .on("writer")
                .says("{\"title\":\"Spring\",\"body\":\"Is here.\"}");
    }

    private static String lastMessage(ModelRequest request) {
        return request.messages().getLast().text();
    }
}
