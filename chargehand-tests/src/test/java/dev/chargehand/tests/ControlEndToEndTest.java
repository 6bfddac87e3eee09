package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** PRD 7.2: whole runs in which the features meet. Memory is in {@link ControlMemoryTest}, events have their own. */
class ControlEndToEndTest {

    private static final String SYSTEM = "system: You supervise.";
    private static final String TASK = "user: Do the task";

    // PRD 7.2: End-to-end supervisor with sub-agents + scoring
    @Test
    void aSupervisorDelegatesIsScoredDelegatesAgainAndCompletes() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.maxSteps(20)
                        .onDelegationStart(start -> Steps.noted(
                                heard,
                                "-> " + start.key(),
                                DelegationDecision.proceed().withPrompt(start.prompt() + ".")))
                        .onDelegationComplete(end -> Steps.noted(
                                heard,
                                "<- " + end.key(),
                                end.key().equals("writer") ? end.accept().withFeedback("Well done.") : end.accept()))
                        .onIterationComplete(it -> Steps.noted(
                                heard,
                                "iteration " + it.iteration() + " " + it.subAgentsInvoked(),
                                IterationDecision.proceed()))
                        .completion(Completion.all(Scorer.of(
                                "cited",
                                answer -> Steps.noted(
                                        heard,
                                        "scored " + answer.text(),
                                        answer.text().contains("[1]") ? Score.pass() : Score.fail("Name a source."))))),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Find facts"),
                        Turn.delegates("writer", "Write"),
                        Turn.says("Report"),
                        Turn.delegates("researcher", "Find a source"),
                        Turn.says("Report [1]")),
                Turns.saying("researcher", "Fact A", "Source: [1]"),
                Turns.saying("writer", "Draft"));
        assertThat(Both.alike(heard))
                .containsExactly(
                        "-> researcher",
                        "<- researcher",
                        "iteration 1 [researcher]",
                        "-> writer",
                        "<- writer",
                        "iteration 2 [researcher, writer]",
                        "iteration 3 [researcher, writer]",
                        "scored Report",
                        "-> researcher",
                        "<- researcher",
                        "iteration 4 [researcher, writer]",
                        "iteration 5 [researcher, writer]",
                        "scored Report [1]");
        assertThat(ran.script().askedAgents())
                .containsExactly(
                        "supervisor",
                        "researcher",
                        "supervisor",
                        "writer",
                        "supervisor",
                        "supervisor",
                        "researcher",
                        "supervisor");
        assertThat(ran.request("writer", 1)).containsExactly("system: You are writer.", TASK, "user: Write.");
        assertThat(ran.request("researcher", 2))
                .containsExactly("system: You are researcher.", TASK, "assistant: Report", "user: Find a source.");
        assertThat(ran.request("supervisor", 5))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        "assistant: agent-researcher{\"prompt\":\"Find facts\"}",
                        "tool: agent-researcher = Fact A",
                        "assistant: agent-writer{\"prompt\":\"Write\"}",
                        "tool: agent-writer = Draft",
                        "system: Well done.",
                        "assistant: Report",
                        """
                        system: The task is not complete yet. What the checks found:
                        - cited: failed (score 0.0, needed 1.0): Name a source.
                        Fix what is missing and give the whole answer again.""",
                        "assistant: agent-researcher{\"prompt\":\"Find a source\"}",
                        "tool: agent-researcher = Source: [1]");
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("Report [1]")
                .hasSteps(5)
                .hasUsage(Usage.of(50, 25))
                .hasTotalUsage(Usage.of(80, 40));
    }

    // PRD 7.2: Delegation rejection works end-to-end
    @Test
    void aRejectedDelegationLeadsTheSupervisorToAnother() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationStart(start -> start.agentId().equals("researcher")
                        ? DelegationDecision.reject("Premium required")
                        : DelegationDecision.proceed()),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P1"),
                        Turn.delegates("writer", "P2"),
                        Turn.says("Done")),
                Turns.of("researcher"),
                Turns.saying("writer", "Draft"));
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "supervisor", "writer", "supervisor");
        assertThat(ran.request("supervisor", 3))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        "assistant: agent-researcher{\"prompt\":\"P1\"}",
                        "tool: agent-researcher error: Agent 'researcher' was not called. Reason: Premium required",
                        "assistant: agent-writer{\"prompt\":\"P2\"}",
                        "tool: agent-writer = Draft");
        assertThat(ran.result()).finished().hasText("Done");
        assertThatEvents(ran.events()).areInOrder("delegation-rejected", "delegation-start", "delegation-end");
    }

    // PRD 7.2: Mixed regular + sub-agent tools in same response
    // PRD 7.2: Regular tools unaffected by delegation hooks
    @Test
    void aRegularToolBesideARejectedAndARunningDelegationIsNotAffected() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.ways(
                        Turns.of(
                                "supervisor",
                                Turn.calls("calc", "{\"a\":1,\"b\":2}")
                                        .and(Turn.delegates("researcher", "P1"))
                                        .and(Turn.delegates("writer", "P2")),
                                Turn.says("Done")),
                        Turns.of("researcher"),
                        Turns.saying("writer", "Draft"))
                .mintingSideBySide()
                .agent(Crew.supervisor(Crew.CALC))
                .options(o -> o.onDelegationStart(start -> {
                            heard.add(start.key());
                            return start.key().equals("researcher")
                                    ? DelegationDecision.reject("No.")
                                    : DelegationDecision.proceed();
                        })
                        .onDelegationComplete(end -> Steps.noted(
                                heard, "end " + end.key(), end.accept().withText(end.text() + "!"))))
                .run();
        assertThat(heard.subList(3, 6)).containsExactlyInAnyOrder("researcher", "writer", "end writer");
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: calc = {\"sum\":3} agent-researcher error: Agent 'researcher' was not called. Reason:"
                        + " No. agent-writer = Draft!");
        assertThat(ran.result()).finished().hasText("Done");
    }

    // PRD 7.2: Bail + streaming works correctly (the events are in ControlEventsTest)
    @Test
    void aBailAfterSeveralStepsEndsTheRunWithoutAnotherModelCall() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> end.key().equals("writer") ? end.bail() : end.accept()),
                Turns.of("supervisor", Turn.delegates("researcher", "P1"), Turn.delegates("writer", "P2")),
                Turns.saying("researcher", "Fact"),
                Turns.saying("writer", "The article"));
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor", "writer");
        assertThat(ran.result()).hasText("The article").hasSteps(2);
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Bailed.class);
    }

    // PRD 7.2: Concurrent sub-agents with bail
    @Test
    void aBailAmongConcurrentDelegationsLetsTheOtherFinishAndDoesNotUseIt() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> end.key().equals("researcher")
                        ? end.bail()
                        : end.accept().withFeedback("Not used.")),
                () -> {
                    CountDownLatch bailed = new CountDownLatch(1);
                    CountDownLatch begun = new CountDownLatch(1);
                    return Scripts.twoDelegations()
                            .on("researcher")
                            .waitsFor(begun)
                            .and()
                            .says("Fact")
                            .and()
                            .does(bailed::countDown)
                            .on("writer")
                            .does(begun::countDown)
                            .and()
                            .waitsFor(bailed)
                            .and()
                            .says("Draft");
                });
        assertThat(ran.script().requestsOf("supervisor")).hasSize(1);
        assertThat(ran.result()).hasText("Fact").hasSteps(1).hasTotalUsage(Usage.of(30, 15));
        assertThat(ran.all(RunEvent.DelegationEnd.class)).hasSize(2);
        assertThatEvents(ran.events()).areInOrder("delegation-end", "delegation-end", "delegation-bail");
    }

    @Test
    void everyMixOfSuccessFailureRejectionAndBailInOneStepHasOneEnd() {
        for (String first : List.of("answers", "fails", "is rejected", "bails")) {
            for (String second : List.of("answers", "fails", "is rejected", "bails")) {
                mix(first, second);
            }
        }
    }

    private static void mix(String researcher, String writer) {
        CountDownLatch[] decided = new CountDownLatch[1];
        Ran ran = Both.ways(() -> {
                    decided[0] = new CountDownLatch(1);
                    Script script = Scripts.twoDelegations().on("researcher");
                    saysOrFails(script, researcher, "Fact");
                    return saysOrFails(script.on("writer").waitsFor(decided[0]).and(), writer, "Draft");
                })
                .mintingSideBySide()
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationStart(
                                start -> (start.key().equals("researcher") ? researcher : writer).equals("is rejected")
                                        ? DelegationDecision.reject("No.")
                                        : DelegationDecision.proceed())
                        .onDelegationComplete(
                                end -> (end.key().equals("researcher") ? researcher : writer).equals("bails")
                                        ? end.bail()
                                        : end.accept())
                        .addListener(event -> releaseAfterResearcher(event, decided[0])))
                .run();
        String mix = "researcher " + researcher + ", writer " + writer;
        if (researcher.equals("bails") || writer.equals("bails")) {
            assertThat(ran.result()).as(mix).hasText(researcher.equals("bails") ? "Fact" : "Draft");
            assertThat(ran.result().stopReason()).as(mix).isInstanceOf(StopReason.Bailed.class);
            assertThat(ran.script().requestsOf("supervisor")).as(mix).hasSize(1);
        } else {
            assertThat(ran.result()).as(mix).finished().hasText("Done");
            assertThat(ran.request("supervisor", 2).getLast())
                    .as(mix)
                    .contains(told("researcher", researcher, "Fact"))
                    .contains(told("writer", writer, "Draft"));
        }
    }

    private static Script saysOrFails(Script script, String how, String text) {
        return how.equals("fails") ? script.failsWith(new IllegalStateException("bug")) : script.says(text);
    }

    /** Lets the writer go on when the researcher's delegation has ended, so that it is known who bails first. */
    private static void releaseAfterResearcher(RunEvent event, CountDownLatch decided) {
        if ((event instanceof RunEvent.ToolResult result && result.toolName().equals("agent-researcher"))
                || (event instanceof RunEvent.ToolError error
                        && error.toolName().equals("agent-researcher"))) {
            decided.countDown();
        }
    }

    private static String told(String agent, String how, String text) {
        return switch (how) {
            case "answers" -> "agent-" + agent + " = " + text;
            case "fails" -> "agent-" + agent + " error: Agent '" + agent + "' gave no complete answer. It failed";
            default -> "agent-" + agent + " error: Agent '" + agent + "' was not called. Reason: No.";
        };
    }
}
