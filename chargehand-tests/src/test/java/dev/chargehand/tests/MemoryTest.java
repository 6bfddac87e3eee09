package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.message.Message;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conversations: what is remembered, what is stored, and whose it is. */
class MemoryTest {

    private static Agent remembering(int lastMessages) {
        return Crew.agent(
                "solo", agent -> agent.instructions("Be brief.").tools(Crew.OK).lastMessages(lastMessages));
    }

    @Test
    void theNextRunOnAThreadSeesWhatWasSaid() {
        Script script = Scripts.on("solo").says("First").then().says("Second");
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(remembering(10));
            agent.generate("One", Crew::inThread);
            assertThat(agent.generate("Two", o -> o.thread("t").resource("u"))).hasText("Second");
            assertThat(Wire.lines(script.requests().get(1)))
                    .containsExactly("system: Be brief.", "user: One", "assistant: First", "user: Two");
            assertThat(Wire.thread(test))
                    .containsExactly("user: One", "assistant: First", "user: Two", "assistant: Second");
        }
    }

    @Test
    void aRunWithoutAThreadRemembersNothing() {
        Script script = Scripts.on("solo").says("First").then().says("Second");
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(remembering(10));
            agent.generate("One");
            agent.generate("Two");
            assertThat(Wire.lines(script.requests().get(1))).containsExactly("system: Be brief.", "user: Two");
        }
    }

    @Test
    void aToolCallIsNeverSplitFromItsResultHoweverShortTheMemory() {
        for (int remembered = 0; remembered <= 8; remembered++) {
            Script script = Scripts.on(
                    "solo",
                    Turn.says("Trying. ").and(Turn.calls("ok", "{}")).and(Turn.calls("ok", "{\"n\":1}")),
                    Turn.calls("ok", "{\"n\":2}"),
                    Turn.says("Done"),
                    Turn.says("Again"));
            try (TestRuntime test = TestRuntime.with(script)) {
                Agent agent = test.bind(remembering(remembered));
                agent.generate("One", o -> o.thread("t"));
                agent.generate("Two", o -> o.thread("t"));
                script.requests().forEach(Wire::assertWellFormed);
                List<String> lines = Wire.lines(script.requests().getLast());
                assertThat(lines).last().isEqualTo("user: Two");
                assertThat(lines.size() - 2).isLessThanOrEqualTo(remembered);
                assertThat(lines.size() - 2)
                        .isGreaterThanOrEqualTo(remembered - 2 < 0 ? 0 : Math.min(remembered, 6) - 1);
            }
        }
    }

    @Test
    void anotherOwnersThreadIsRefusedBeforeAnythingIsReadOrAsked() {
        Script script = Scripts.on("solo").says("First");
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(remembering(10));
            agent.generate("One", Crew::inThread);
            assertThatThrownBy(() -> agent.generate("Two", o -> o.thread("t").resource("other")))
                    .isInstanceOf(ThreadOwnershipException.class)
                    .hasMessageNotContaining("'u'");
            assertThatThrownBy(() -> agent.generate("Two", o -> o.thread("t")))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> agent.stream("Two", o -> o.thread("t").resource("other")))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThat(Wire.thread(test)).containsExactly("user: One", "assistant: First");
            assertThat(test.runtime().runs(RunFilter.ROOTS)).hasSize(1);
        }
    }

    @Test
    void theUsersMessageIsStoredBeforeTheModelIsAskedAndEveryStepWhenItIsDecided() {
        List<List<String>> seen = new ArrayList<>();
        Script script = Scripts.on("solo").calls("ok", "{}").then().says("Done");
        try (TestRuntime test = TestRuntime.with(script)) {
            test.bind(remembering(10)).generate("One", o -> o.thread("t")
                    .resource("u")
                    .prepareStep(step -> Steps.noted(seen, Wire.thread(test), StepPlan.unchanged())));
            assertThat(seen.get(0)).containsExactly("user: One");
            assertThat(seen.get(1)).containsExactly("user: One", "assistant: ok{}", "tool: ok = {\"fine\":true}");
        }
    }

    @Test
    void theMessagesOfAFailedRunStay() {
        Script script = Scripts.on(
                "solo",
                Turn.calls("ok", "{}"),
                Turn.failsWith(new ModelException(ModelException.Kind.PROTOCOL, "No.", null)));
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThatThrownBy(() -> test.bind(remembering(10))
                    .generate("One", o -> o.thread("t").resource("u")));
            assertThat(Wire.thread(test)).containsExactly("user: One", "assistant: ok{}", "tool: ok = {\"fine\":true}");
        }
    }

    @Test
    void messageIdsAreUniqueInAThread() {
        Script script =
                Scripts.on("solo").calls("ok", "{}").then().says("a").then().says("b");
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(remembering(10));
            agent.generate("One", Crew::inThread);
            agent.generate(List.of(Message.user("Two"), Message.user("and more")), Crew::inThread);
            assertThat(test.thread("t", "u"))
                    .extracting(Message::id)
                    .hasSize(7)
                    .doesNotHaveDuplicates()
                    .doesNotContain("");
        }
    }

    @Test
    void aSubAgentRemembersNothingOfEarlierDelegations() {
        Script script = Scripts.twoTurnsThatDelegate();
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(Crew.supervisor());
            agent.generate("One", Crew::inThread);
            agent.generate("Two", Crew::inThread);
            assertThat(Wire.lines(script.requestsOf("researcher").get(1)))
                    .containsExactly(
                            "system: You are researcher.", "user: One", "assistant: First", "user: Two", "user: P2");
        }
    }

    @Test
    void anEndedRunIsFoundAgainWithItsResult() {
        Script script = Scripts.on("solo").calls("ok", "{}").then().says("Done");
        try (TestRuntime test =
                TestRuntime.builder(script).agents(remembering(10)).build()) {
            var result = test.agent("solo").generate("One", Crew::inThread);
            assertThat(test.runtime().resume(result.runId(), o -> {}).result()).isEqualTo(result);
        }
    }

    private static Script draftThenTwoTurns() {
        return Scripts.on("solo").says("No.").then().says("Long enough").then().says("And again long enough");
    }

    private static List<String> replayed(int remembered, boolean kept) {
        Script script = draftThenTwoTurns();
        try (TestRuntime test = TestRuntime.with(script)) {
            Completion completion = Completion.all(Scorers.minLength(6));
            Agent agent = test.bind(remembering(remembered));
            for (String turn : List.of("One", "Two")) {
                agent.generate(
                        turn, o -> o.thread("t").resource("u").completion(kept ? completion.keepScores() : completion));
            }
            return Wire.lines(script.requests().get(2));
        }
    }

    @Test
    void scoresAreKeptWithTheThreadIfAskedForBehindTheAnswerTheyAreAbout() {
        try (TestRuntime test = TestRuntime.with(draftThenTwoTurns())) {
            RunResult result = test.bind(remembering(10)).generate("One", o -> o.thread("t")
                    .resource("u")
                    .completion(Completion.all(Scorers.minLength(6)).keepScores()));
            List<Message> thread = test.thread("t", "u");
            assertThat(thread.stream().map(Message::text))
                    .element(2)
                    .asString()
                    .contains("\"complete\":false", "\"minLength\"", "\"score\":0.5", "The answer has 3 characters");
            assertThat(thread).extracting(Message::internal).containsExactly(false, false, true, false, true);
            assertThat(thread.getLast().text()).contains("\"complete\":true");
            assertThat(result.messages()).noneMatch(Message::internal);
        }
    }

    @Test
    void scoresThatAreKeptReachNoModelAndTakeNoPlaceInItsMemory() {
        for (int remembered = 0; remembered <= 6; remembered++) {
            assertThat(replayed(remembered, true)).isEqualTo(replayed(remembered, false));
        }
        assertThat(replayed(3, true))
                .containsExactly(
                        "system: Be brief.", "user: One", "assistant: No.", "assistant: Long enough", "user: Two");
    }

    @Test
    void scoresAreNotKeptUnlessAskedFor() {
        try (TestRuntime test = TestRuntime.with(draftThenTwoTurns())) {
            test.bind(remembering(10))
                    .generate("One", o -> o.thread("t").resource("u").completion(Completion.all(Scorers.minLength(6))));
            assertThat(Wire.thread(test)).containsExactly("user: One", "assistant: No.", "assistant: Long enough");
        }
    }
}
