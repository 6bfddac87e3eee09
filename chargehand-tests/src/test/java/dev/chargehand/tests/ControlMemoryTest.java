package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** PRD 7.2, Memory integration with new features: what of a controlled run its thread keeps and replays. */
class ControlMemoryTest {

    private static final String SYSTEM = "system: You supervise.";
    private static final String TASK = "user: Do the task";
    private static final String CALL = "assistant: agent-researcher{\"prompt\":\"P\"}";

    private static Script andThen(Script script) {
        return script.on("supervisor").says("Next answer");
    }

    /** What the model is asked in the next run of the conversation. */
    private static List<String> next(TestRuntime test) {
        test.bind(Crew.supervisor()).generate("And now?", Crew::inThread);
        return Wire.lines(test.script().requestsOf("supervisor").getLast());
    }

    @Test
    void feedbackAboutADelegationIsKeptWithTheThreadAndReplayed() {
        Both.ways(() -> andThen(Scripts.oneDelegation()))
                .agent(Crew.supervisor())
                .options(o -> o.thread("t").resource("u").onDelegationComplete(end -> end.accept()
                        .withFeedback("Trust it.")))
                .after(test -> {
                    assertThat(Wire.thread(test))
                            .containsExactly(
                                    TASK,
                                    CALL,
                                    "tool: agent-researcher = Fact",
                                    "system: Trust it.",
                                    "assistant: Done");
                    assertThat(test.thread("t", "u").get(3).internal()).isTrue();
                    assertThat(next(test))
                            .containsExactly(
                                    SYSTEM,
                                    TASK,
                                    CALL,
                                    "tool: agent-researcher = Fact",
                                    "system: Trust it.",
                                    "assistant: Done",
                                    "user: And now?");
                })
                .run();
    }

    @Test
    void feedbackOfTheIterationHookIsNeitherKeptNorReplayed() {
        Ran ran = Both.ways(() -> andThen(Scripts.oneDelegation()))
                .agent(Crew.supervisor())
                .options(o -> o.thread("t")
                        .resource("u")
                        .onIterationComplete(it -> it.iteration() == 1
                                ? IterationDecision.proceedWith("Be brief.")
                                : IterationDecision.proceed()))
                .after(test -> {
                    assertThat(Wire.thread(test))
                            .containsExactly(TASK, CALL, "tool: agent-researcher = Fact", "assistant: Done");
                    assertThat(next(test)).doesNotContain("system: Be brief.").hasSize(6);
                })
                .run();
        assertThat(ran.request("supervisor", 2)).contains("system: Be brief.");
    }

    @Test
    void feedbackOfScorersIsNeitherKeptNorReplayedButRejectedDraftsAre() {
        Both.ways(Turns.saying("supervisor", "Draft", "Draft [1]", "Next answer"))
                .agent(Crew.supervisor())
                .options(o -> o.thread("t")
                        .resource("u")
                        .completion(Completion.all(Scorer.of(
                                "cited",
                                answer -> answer.text().contains("[1]") ? Score.pass() : Score.fail("Cite.")))))
                .after(test -> {
                    assertThat(Wire.thread(test)).containsExactly(TASK, "assistant: Draft", "assistant: Draft [1]");
                    assertThat(next(test))
                            .containsExactly(
                                    SYSTEM, TASK, "assistant: Draft", "assistant: Draft [1]", "user: And now?");
                })
                .run();
    }

    @Test
    void theAnswerOfABailIsTheAssistantsMessageInTheNextTurn() {
        Both.ways(
                        Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Next answer")),
                        Turns.saying("researcher", "Fact"))
                .agent(Crew.supervisor())
                .options(o -> o.thread("t").resource("u").onDelegationComplete(DelegationCompleteContext::bail))
                .after(test -> assertThat(next(test))
                        .containsExactly(
                                SYSTEM,
                                TASK,
                                CALL,
                                "tool: agent-researcher = Fact",
                                "assistant: Fact",
                                "user: And now?"))
                .run();
    }

    @Test
    void aRejectionIsKeptWithTheThread() {
        Both.ways(() -> andThen(Scripts.oneDelegation()))
                .agent(Crew.supervisor())
                .options(o -> o.thread("t")
                        .resource("u")
                        .onDelegationStart(start -> DelegationDecision.reject("Premium required")))
                .after(test -> assertThat(next(test).get(3))
                        .isEqualTo("tool: agent-researcher error: Agent 'researcher' was not called. Reason: Premium"
                                + " required"))
                .run();
    }

    @Test
    void onlyThePromptAndItsOwnWordsAreKeptInTheThreadOfADelegation() {
        List<String> threads = new CopyOnWriteArrayList<>();
        Both.ways(() -> andThen(Scripts.oneDelegation()))
                .agent(Crew.supervisor())
                .options(o -> o.thread("t")
                        .resource("u")
                        .onDelegationStart(start -> DelegationDecision.proceed()
                                .withPrompt("Changed")
                                .withInstructions("Secret ways."))
                        .onDelegationComplete(
                                end -> Steps.noted(threads, end.threadId().orElseThrow(), end.accept())))
                .after(test -> assertThat(ChildThread.read(test, threads.getLast(), "u", "supervisor/researcher"))
                        .containsExactly("user: Changed", "assistant: Fact"))
                .run();
    }
}
