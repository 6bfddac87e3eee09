package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.message.Message;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a network needs a thread for, and what it leaves there. */
class NetworkMemoryTest {

    private static TestRuntime runtime(Script script) {
        return TestRuntime.builder(script).agents(Crew.supervisor(Crew.LOOK)).build();
    }

    @SuppressWarnings("deprecation") // what is tested
    private static RunResult run(TestRuntime test, String prompt, Consumer<RunOptions.Builder> options) {
        Agent router = test.agent("supervisor");
        return router.generateNetwork(prompt, options);
    }

    private static List<String> thread(TestRuntime test) {
        return test.thread("t", "u").stream()
                .map(message -> (message.internal() ? "internal " : "") + Wire.line(message))
                .toList();
    }

    private static void inThread(RunOptions.Builder o) {
        o.thread("t").resource("u");
    }

    @Test
    @SuppressWarnings("deprecation") // what is tested
    void aNetworkWithoutAThreadHasANewOne() {
        try (TestRuntime test = runtime(
                Scripts.drafts("supervisor", Routed.none("One."), Routed.none("Two."), Routed.none("Three.")))) {
            Agent router = test.agent("supervisor");
            RunResult first = router.generateNetwork("Go");
            RunResult second = router.generateNetwork("Go", o -> o.resource("u"));
            RunResult third;
            try (RunStream run = router.network("Go")) {
                third = run.result();
            }
            assertThat(List.of(first.text(), second.text(), third.text())).containsExactly("One.", "Two.", "Three.");
            assertThat(Set.of(first.threadId(), second.threadId(), third.threadId()))
                    .hasSize(3);
            assertThat(test.thread(second.threadId().orElseThrow(), "u")).isEqualTo(second.messages());
        }
    }

    @Test
    @SuppressWarnings("deprecation") // what is tested
    void aNetworkTakesMessages() {
        try (TestRuntime test = runtime(Scripts.on("supervisor").says(Routed.none("Hello.")))) {
            List<Message> input = List.of(Message.user("I am Ann."), Message.user("Hi"));
            RunResult result = test.agent("supervisor").generateNetwork(input, NetworkMemoryTest::inThread);
            assertThat(result).hasText("Hello.");
            assertThat(thread(test)).startsWith("user: I am Ann.", "user: Hi");
        }
    }

    @Test
    void aThreadOfTheAgentsDefaultsWillDo() {
        Agent router = Crew.agent(
                "supervisor", agent -> agent.defaultOptions(o -> o.thread("t").resource("u")));
        try (TestRuntime test = Crew.playing(Scripts.on("supervisor").says(Routed.none("Hello.")), router)) {
            assertThat(run(test, "Hi", o -> {})).hasText("Hello.");
        }
    }

    @Test
    void theThreadHoldsTheTaskWhatWasChosenAndWhyWhatCameOfItAndTheAnswer() {
        try (TestRuntime test = runtime(Scripts.of(
                Turns.saying(
                        "supervisor",
                        Routed.agent("researcher", "Find"),
                        Routed.incomplete("look too"),
                        Routed.decision("look", "tool", "{\"q\":\"x\"}", "to be sure"),
                        Routed.complete("ok", "FA, and S3")),
                Turns.saying("researcher", "FA")))) {
            RunResult result = run(test, "Do it", NetworkMemoryTest::inThread);
            assertThat(thread(test))
                    .containsExactly(
                            "user: Do it",
                            "assistant: (because) agent-researcher{\"prompt\":\"Find\"}",
                            "tool: agent-researcher = FA",
                            "assistant: (to be sure) look{\"q\":\"x\"}",
                            "tool: look = {\"secret\":\"S3\",\"n\":1}",
                            "assistant: FA, and S3");
            assertThat(result.messages().stream().map(Wire::line)).containsExactlyElementsOf(thread(test));
        }
    }

    @Test
    void anAnswerThatAPrimitiveGaveIsSaidToTheUser() {
        try (TestRuntime test = runtime(Scripts.of(
                Turns.saying("supervisor", Routed.agent("researcher", "Find"), Routed.complete("ok", "")),
                Turns.saying("researcher", "FA")))) {
            run(test, "Do it", NetworkMemoryTest::inThread);
            assertThat(thread(test).getLast()).isEqualTo("assistant: FA");
        }
    }

    @Test
    void aNetworkThatRanOutOfStepsHasSaidNothing() {
        try (TestRuntime test = runtime(Scripts.of(
                Turns.saying("supervisor", Routed.agent("researcher", "Find"), Routed.incomplete("more")),
                Turns.saying("researcher", "FA")))) {
            run(test, "Do it", o -> o.thread("t").resource("u").maxSteps(1));
            assertThat(thread(test))
                    .containsExactly(
                            "user: Do it",
                            "assistant: (because) agent-researcher{\"prompt\":\"Find\"}",
                            "tool: agent-researcher = FA");
        }
    }

    @Test
    void scoresAreKeptIfTheyAreToBe() {
        Completion completion = Completion.all(Scorer.of("fine", context -> Score.pass()));
        try (TestRuntime test = runtime(Scripts.on("supervisor").says(Routed.none("Hello.")))) {
            run(test, "Hi", o -> o.thread("t").resource("u").completion(completion.keepScores()));
            assertThat(test.thread("t", "u")).filteredOn(Message::internal).hasSize(1);
        }
    }

    @Test
    void theNextTurnsRouterSeesWhatWasDoneAndItsAgentsWhatWasSaid() {
        Script script = Scripts.of(
                Turns.saying(
                        "supervisor",
                        Routed.agent("researcher", "Find"),
                        Routed.complete("ok", "It is FA."),
                        Routed.agent("writer", "Write"),
                        Routed.complete("ok", "")),
                Turns.saying("researcher", "FA"),
                Turns.saying("writer", "WB"));
        try (TestRuntime test = runtime(script)) {
            run(test, "Find it", NetworkMemoryTest::inThread);
            run(test, "Write it", NetworkMemoryTest::inThread);
            List<String> routed = Wire.lines(script.requestsOf("supervisor").get(2));
            assertThat(routed).hasSize(6);
            assertThat(routed.get(1)).isEqualTo("user: Find it");
            assertThat(routed.get(2)).isEqualTo("assistant: " + Routed.agent("researcher", "Find"));
            assertThat(routed.get(3)).startsWith("user: <result-").contains("FA");
            assertThat(routed.get(4)).isEqualTo("assistant: It is FA.");
            assertThat(routed.get(5)).isEqualTo("user: Write it");
            assertThat(Wire.lines(script.requestsOf("writer").getFirst()))
                    .containsExactly(
                            "system: You are writer.",
                            "user: Find it",
                            "assistant: It is FA.",
                            "user: Write it",
                            "user: Write");
        }
    }

    @Test
    void argumentsOfAnEarlierTurnMayBeNoJson() {
        Script script = Scripts.on(
                "supervisor",
                Turn.callsRaw("agent-researcher", "no JSON"),
                Turn.says("It did not work."),
                Turn.says(Routed.none("Still not.")));
        try (TestRuntime test = runtime(script)) {
            test.agent("supervisor").generate("Go", NetworkMemoryTest::inThread);
            assertThat(run(test, "Again", NetworkMemoryTest::inThread)).hasText("Still not.");
            assertThat(Wire.lines(script.requestsOf("supervisor").getLast()))
                    .contains("assistant: " + Routed.decision("researcher", "agent", "no JSON", ""));
        }
    }

    @Test
    void anOrdinaryTurnGoesOnAfterANetworkAndTheOtherWayRound() {
        Script script = Scripts.on(
                "supervisor",
                Turn.says(Routed.tool("look", "{}")),
                Turn.says(Routed.complete("ok", "S3.")),
                Turn.calls("look", "{\"q\":\"y\"}"),
                Turn.says("Still S3."),
                Turn.says(Routed.none("Thrice S3.")));
        try (TestRuntime test = runtime(script)) {
            run(test, "Look", NetworkMemoryTest::inThread);
            test.agent("supervisor").generate("Look again", NetworkMemoryTest::inThread);
            run(test, "And again", NetworkMemoryTest::inThread);
            script.requests().forEach(Wire::assertWellFormed);
            assertThat(Wire.lines(script.requestsOf("supervisor").get(2)))
                    .containsExactly(
                            "system: You supervise.",
                            "user: Look",
                            "assistant: (because) look{}",
                            "tool: look = {\"secret\":\"S3\",\"n\":1}",
                            "assistant: S3.",
                            "user: Look again");
            assertThat(Wire.lines(script.requestsOf("supervisor").getLast()))
                    .contains("assistant: " + Routed.decision("look", "tool", "{\"q\":\"y\"}", ""))
                    .noneMatch(line -> line.startsWith("tool: "));
        }
    }
}
