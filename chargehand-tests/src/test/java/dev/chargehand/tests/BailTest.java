package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A delegation's text as the answer, without the supervisor's own words. */
class BailTest {

    private static Script oneCall() {
        return Scripts.of(
                Turns.of("supervisor", Turn.says("I will ask. ").and(Turn.delegates("researcher", "P"))),
                Turns.saying("researcher", "The whole answer"));
    }

    private static StopReason.Bailed bailedBy(Ran ran, String agentId) {
        String callId = ran.result().toolResults().stream()
                .filter(outcome -> outcome.toolName().equals("agent-" + agentId))
                .findFirst()
                .orElseThrow()
                .callId();
        return new StopReason.Bailed(agentId, callId, null);
    }

    // PRD 7.1: Bail stops loop and returns sub-agent output
    @Test
    void bailEndsTheRunWithTheSubAgentsTextAndTheSupervisorIsNotAskedAgain() {
        Ran ran = Both.ways(BailTest::oneCall)
                .agent(Crew.supervisor())
                .options(o -> o.thread("t").resource("u").onDelegationComplete(DelegationCompleteContext::bail))
                .after(test -> assertThat(test.thread("t", "u").stream().map(Wire::line))
                        .as("the sub-agent's text is saved as the assistant's message")
                        .containsExactly(
                                "user: Do the task",
                                "assistant: I will ask.  agent-researcher{\"prompt\":\"P\"}",
                                "tool: agent-researcher = The whole answer",
                                "assistant: The whole answer"))
                .run();
        assertThat(ran.result())
                .hasStatus(RunStatus.COMPLETED)
                .stoppedBecause(bailedBy(ran, "researcher"))
                .hasText("The whole answer")
                .hasSteps(1)
                .hasTotalUsage(Usage.of(20, 10));
        assertThat(ran.script().requestsOf("supervisor")).hasSize(1);
        assertThatEvents(ran.events())
                .areInOrder("delegation-end", "tool-result", "delegation-bail", "step-finish", "run-finish");
        assertThat(ran.all(RunEvent.DelegationBail.class)).singleElement().satisfies(event -> assertThat(event.text())
                .isEqualTo("The whole answer"));
    }

    @Test
    void bailBypassesScoring() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(DelegationCompleteContext::bail)
                        .stopWhen(step -> asked.add("stopWhen"))
                        .completion(Completion.all(
                                        Scorer.of("strict", answer -> Steps.noted(asked, "scorer", Score.fail("no"))))
                                .everyStep()),
                BailTest::oneCall);
        assertThat(asked).isEmpty();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher"));
        assertThat(ran.result().completion()).isEmpty();
        assertThatEvents(ran.events()).doNotContain("scoring-start");
    }

    @Test
    void theIterationHookHearsOfABailAndItsDecisionChangesNothing() {
        List<IterationContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(DelegationCompleteContext::bail)
                        .onIterationComplete(it -> Steps.noted(heard, it, IterationDecision.proceedWith("Go on."))),
                BailTest::oneCall);
        assertThat(heard).hasSize(2).allMatch(IterationContext::isFinal);
        assertThat(ran.result())
                .stoppedBecause(bailedBy(ran, "researcher"))
                .hasText("The whole answer")
                .hasSteps(1);
    }

    // PRD 7.1: First bail wins when multiple sub-agents call bail
    @Test
    void theFirstBailByTimeWinsWhateverTheOrderOfTheCalls() {
        CountDownLatch[] drafted = new CountDownLatch[1];
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(DelegationCompleteContext::bail)
                        .addListener(event -> releaseAfterWriter(event, drafted[0])),
                () -> {
                    CountDownLatch researcherAsked = new CountDownLatch(1);
                    drafted[0] = new CountDownLatch(1);
                    return Scripts.twoDelegations()
                            .on("researcher")
                            .does(researcherAsked::countDown)
                            .and()
                            .waitsFor(drafted[0])
                            .and()
                            .says("Fact")
                            .on("writer")
                            .waitsFor(researcherAsked)
                            .and()
                            .says("Draft");
                });
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "writer")).hasText("Draft");
        assertThat(ran.result().toolResults())
                .as("the other was in flight and is left to finish; its result is there, and not used")
                .allMatch(outcome -> outcome.output().isPresent());
        assertThat(ran.all(RunEvent.DelegationBail.class)).hasSize(1);
    }

    @Test
    void theLastBailByTimeWinsIfTheOptionsSaySo() {
        CountDownLatch[] done = new CountDownLatch[1];
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.bailStrategy(BailStrategy.LAST)
                        .onDelegationComplete(DelegationCompleteContext::bail)
                        .addListener(event -> releaseAfterWriter(event, done[0])),
                () -> {
                    done[0] = new CountDownLatch(1);
                    return Scripts.twoDelegations()
                            .on("researcher")
                            .waitsFor(done[0])
                            .and()
                            .says("Fact")
                            .on("writer")
                            .says("Draft");
                });
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher")).hasText("Fact");
    }

    private static void releaseAfterWriter(RunEvent event, CountDownLatch done) {
        if (event instanceof RunEvent.DelegationEnd end && end.agentId().equals("writer")) {
            done.countDown();
        }
    }

    @Test
    void aBailWinsOverASiblingThatDoesNot() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> end.key().equals("writer") ? end.bail() : end.accept()),
                Scripts::researcherFirst);
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "writer")).hasText("Draft");
    }

    @Test
    void siblingsThatHaveNotStartedAreNotStartedAfterTheFirstBail() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.toolCallConcurrency(1).onDelegationComplete(DelegationCompleteContext::bail),
                () -> Scripts.twoDelegations().on("researcher").says("Fact").on("writer"));
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher")).hasText("Fact");
        assertThat(ran.script().requestsOf("writer")).isEmpty();
        assertThat(ran.result()).toolFailed("agent-writer", "not executed");
    }

    @Test
    void siblingsInFlightAreCancelledIfTheOptionsSaySo() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.cancelSiblings(true).onDelegationComplete(DelegationCompleteContext::bail),
                () -> {
                    CountDownLatch writing = new CountDownLatch(1);
                    return Scripts.twoDelegations()
                            .on("researcher")
                            .waitsFor(writing)
                            .and()
                            .says("Fact")
                            .on("writer")
                            .says("Dra")
                            .and()
                            .does(writing::countDown)
                            .and()
                            .hangs();
                });
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher")).hasText("Fact");
        assertThatEvents(ran.events()).ofPath("supervisor/writer").areInOrder("abort", "run-finish");
        assertThat(ran.all(RunEvent.DelegationEnd.class))
                .extracting(event -> event.status())
                .containsExactlyInAnyOrder(RunStatus.COMPLETED, RunStatus.ABORTED);
    }

    @Test
    void aToolInFlightIsCancelledTooIfTheOptionsSaySo() {
        CountDownLatch[] working = new CountDownLatch[1];
        Ran ran = Both.run(
                Crew.supervisor(Steps.tool("slow", (in, context) -> {
                    working[0].countDown();
                    new CountDownLatch(1).await();
                    return "never";
                })),
                o -> o.cancelSiblings(true).onDelegationComplete(DelegationCompleteContext::bail),
                () -> {
                    working[0] = new CountDownLatch(1);
                    return Scripts.of(
                            Turns.of("supervisor", Turn.calls("slow", "{}").and(Turn.delegates("researcher", "P"))),
                            Turns.of("researcher", Turn.waitsFor(working[0]).and(Turn.says("Fact"))));
                });
        assertThat(ran.result()).hasText("Fact").toolFailed("slow", "cancelled");
    }

    @Test
    void aBailCanReplaceTheTextAndStillTellTheNextRunSomething() {
        Ran ran = Both.ways(BailTest::oneCall)
                .agent(Crew.supervisor())
                .options(o -> o.thread("t").onDelegationComplete(end -> DelegationVerdict.bail()
                        .withText("Edited: " + end.text())
                        .withFeedback("Was edited.")))
                .after(test -> assertThat(test.thread("t", null).stream().map(Wire::line))
                        .containsExactly(
                                "user: Do the task",
                                "assistant: I will ask.  agent-researcher{\"prompt\":\"P\"}",
                                "tool: agent-researcher = Edited: The whole answer",
                                "system: Was edited.",
                                "assistant: Edited: The whole answer"))
                .run();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher")).hasText("Edited: The whole answer");
    }

    private static Ran failing(DelegationVerdict verdict) {
        return Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> verdict),
                Turns.of("supervisor", Turn.delegates("researcher", "P")),
                Turns.of(
                        "researcher",
                        Turn.says("Some of it")
                                .and(Turn.failsWith(
                                        new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null)))));
    }

    @Test
    void aFailedDelegationMayBailAndTheStopReasonCarriesTheFailure() {
        Ran ran = failing(DelegationVerdict.bail().withText("Sorry, no data today."));
        String callId = ran.result().toolResults().getFirst().callId();
        assertThat(ran.result())
                .hasStatus(RunStatus.COMPLETED)
                .stoppedBecause(new StopReason.Bailed("researcher", callId, "failed"))
                .hasText("Sorry, no data today.");
    }

    @Test
    void aFailedDelegationThatBailsWithoutAReplacementGivesNoAnswer() {
        Ran ran = failing(DelegationVerdict.bail());
        String callId = ran.result().toolResults().getFirst().callId();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.Bailed("researcher", callId, "failed"))
                .hasText("");
        assertThat(ran.script().requestsOf("supervisor")).hasSize(1);
    }

    @Test
    void aBailBelowEndsTheRunBelowOnly() {
        Agent middle = Crew.agent("middle", agent -> agent.agents(Crew.RESEARCHER)
                .defaultOptions(o -> o.onDelegationComplete(DelegationCompleteContext::bail)));
        Ran ran = Both.run(
                Agent.builder("top").model("none/none").agents(middle).build(),
                Turns.of("top", Turn.delegates("middle", "P1"), Turn.says("Top: done")),
                Turns.of("middle", Turn.delegates("researcher", "P2")),
                Turns.saying("researcher", "Fact"));
        assertThat(ran.request("top", 2).getLast()).isEqualTo("tool: agent-middle = Fact");
        assertThat(ran.result()).finished().hasText("Top: done");
    }

    @Test
    void twoRunsThatShareARequestContextNeverSeeEachOthersBail() {
        RequestContext shared =
                RequestContext.of(RequestContext.Key.transientOf("shared", List.class), new CopyOnWriteArrayList<>());
        CountDownLatch bailed = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "bailing").whenAsked("first"),
                        Turn.delegates("researcher", "patient").whenAsked("second"),
                        Turn.says("Own words").whenAsked("second")),
                Turns.of(
                        "researcher",
                        Turn.waitsFor(begun).and(Turn.says("Fact of the first").whenAsked("bailing")),
                        Turn.does(begun::countDown)
                                .and(Turn.waitsFor(bailed))
                                .and(Turn.says("Fact of the second").whenAsked("patient"))));
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(Crew.supervisor());
            CompletableFuture<RunResult> second = new CompletableFuture<>();
            Thread.ofVirtual()
                    .start(() -> second.complete(agent.generate("second", o -> o.requestContext(shared)
                            .onDelegationComplete(DelegationCompleteContext::accept))));
            RunResult first = agent.generate(
                    "first", o -> o.requestContext(shared).onDelegationComplete(DelegationCompleteContext::bail));
            bailed.countDown();
            assertThat(first).hasText("Fact of the first");
            assertThat(first.stopReason()).isInstanceOf(StopReason.Bailed.class);
            assertThat(second.join()).finished().hasText("Own words").hasSteps(2);
        }
    }
}
