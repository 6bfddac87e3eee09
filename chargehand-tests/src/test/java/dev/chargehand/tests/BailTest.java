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
import dev.chargehand.testkit.ScriptedModel;
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
        return ScriptedModel.script()
                .on("supervisor")
                .says("I will ask. ")
                .and()
                .delegates("researcher", "P")
                .on("researcher")
                .says("The whole answer");
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
        assertThat(ran.events())
                .filteredOn(RunEvent.DelegationBail.class::isInstance)
                .singleElement()
                .satisfies(event ->
                        assertThat(((RunEvent.DelegationBail) event).text()).isEqualTo("The whole answer"));
    }

    @Test
    void bailBypassesScoring() {
        List<String> asked = new CopyOnWriteArrayList<>();
        Ran ran = Both.ways(BailTest::oneCall)
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(DelegationCompleteContext::bail)
                        .stopWhen(step -> asked.add("stopWhen"))
                        .completion(Completion.all(Scorer.of("strict", answer -> {
                                    asked.add("scorer");
                                    return Score.fail("no");
                                }))
                                .everyStep()))
                .run();
        assertThat(asked).isEmpty();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher"));
        assertThat(ran.result().completion()).isEmpty();
        assertThatEvents(ran.events()).doNotContain("scoring-start");
    }

    @Test
    void theIterationHookHearsOfABailAndItsDecisionChangesNothing() {
        List<IterationContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.ways(BailTest::oneCall)
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(DelegationCompleteContext::bail)
                        .onIterationComplete(it -> {
                            heard.add(it);
                            return IterationDecision.proceedWith("Go on.");
                        }))
                .run();
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
        Ran ran = Both.ways(() -> {
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
                })
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(DelegationCompleteContext::bail)
                        .addListener(event -> releaseAfterWriter(event, drafted[0])))
                .run();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "writer")).hasText("Draft");
        assertThat(ran.result().toolResults())
                .as("the other was in flight and is left to finish; its result is there, and not used")
                .allMatch(outcome -> outcome.output().isPresent());
        assertThat(ran.events())
                .filteredOn(RunEvent.DelegationBail.class::isInstance)
                .hasSize(1);
    }

    @Test
    void theLastBailByTimeWinsIfTheOptionsSaySo() {
        CountDownLatch[] done = new CountDownLatch[1];
        Ran ran = Both.ways(() -> {
                    done[0] = new CountDownLatch(1);
                    return Scripts.twoDelegations()
                            .on("researcher")
                            .waitsFor(done[0])
                            .and()
                            .says("Fact")
                            .on("writer")
                            .says("Draft");
                })
                .agent(Crew.supervisor())
                .options(o -> o.bailStrategy(BailStrategy.LAST)
                        .onDelegationComplete(DelegationCompleteContext::bail)
                        .addListener(event -> releaseAfterWriter(event, done[0])))
                .run();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher")).hasText("Fact");
    }

    private static void releaseAfterWriter(RunEvent event, CountDownLatch done) {
        if (event instanceof RunEvent.DelegationEnd end && end.agentId().equals("writer")) {
            done.countDown();
        }
    }

    @Test
    void aBailWinsOverASiblingThatDoesNot() {
        Ran ran = Both.ways(Scripts::researcherFirst)
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(end -> end.key().equals("writer") ? end.bail() : end.accept()))
                .run();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "writer")).hasText("Draft");
    }

    @Test
    void siblingsThatHaveNotBegunAreNotBegunAfterTheFirstBail() {
        Ran ran = Both.ways(() ->
                        Scripts.twoDelegations().on("researcher").says("Fact").on("writer"))
                .agent(Crew.supervisor())
                .options(o -> o.toolCallConcurrency(1).onDelegationComplete(DelegationCompleteContext::bail))
                .run();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher")).hasText("Fact");
        assertThat(ran.script().requestsOf("writer")).isEmpty();
        assertThat(ran.result()).toolFailed("agent-writer", "not executed");
    }

    @Test
    void siblingsInFlightAreCancelledIfTheOptionsSaySo() {
        Ran ran = Both.ways(() -> {
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
                })
                .agent(Crew.supervisor())
                .options(o -> o.cancelSiblings(true).onDelegationComplete(DelegationCompleteContext::bail))
                .run();
        assertThat(ran.result()).stoppedBecause(bailedBy(ran, "researcher")).hasText("Fact");
        assertThatEvents(ran.events()).ofPath("supervisor/writer").areInOrder("abort", "run-finish");
        assertThat(ran.events())
                .filteredOn(RunEvent.DelegationEnd.class::isInstance)
                .extracting(event -> ((RunEvent.DelegationEnd) event).status())
                .containsExactlyInAnyOrder(RunStatus.COMPLETED, RunStatus.ABORTED);
    }

    @Test
    void aToolInFlightIsCancelledTooIfTheOptionsSaySo() {
        CountDownLatch[] working = new CountDownLatch[1];
        Ran ran = Both.ways(() -> {
                    working[0] = new CountDownLatch(1);
                    return ScriptedModel.script()
                            .on("supervisor")
                            .calls("slow", "{}")
                            .and()
                            .delegates("researcher", "P")
                            .on("researcher")
                            .waitsFor(working[0])
                            .and()
                            .says("Fact");
                })
                .agent(Crew.supervisor(Steps.tool("slow", (in, context) -> {
                    working[0].countDown();
                    new CountDownLatch(1).await();
                    return "never";
                })))
                .options(o -> o.cancelSiblings(true).onDelegationComplete(DelegationCompleteContext::bail))
                .run();
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
        return Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .on("researcher")
                        .says("Some of it")
                        .and()
                        .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null)))
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(end -> verdict))
                .run();
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
        Agent middle = Agent.builder("middle")
                .description("Stands between.")
                .model("none/none")
                .agents(Crew.RESEARCHER)
                .defaultOptions(o -> o.onDelegationComplete(DelegationCompleteContext::bail))
                .build();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("top")
                        .delegates("middle", "P1")
                        .then()
                        .says("Top: done")
                        .on("middle")
                        .delegates("researcher", "P2")
                        .on("researcher")
                        .says("Fact"))
                .agent(Agent.builder("top").model("none/none").agents(middle).build())
                .run();
        assertThat(ran.request("top", 2).getLast()).isEqualTo("tool: agent-middle = Fact");
        assertThat(ran.result()).finished().hasText("Top: done");
    }

    @Test
    void twoRunsThatShareARequestContextNeverSeeEachOthersBail() {
        RequestContext shared =
                RequestContext.of(RequestContext.Key.transientOf("shared", List.class), new CopyOnWriteArrayList<>());
        CountDownLatch bailed = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "bailing")
                .whenAsked("first")
                .then()
                .delegates("researcher", "patient")
                .whenAsked("second")
                .then()
                .says("Own words")
                .whenAsked("second")
                .on("researcher")
                .waitsFor(begun)
                .and()
                .says("Fact of the first")
                .whenAsked("bailing")
                .then()
                .does(begun::countDown)
                .and()
                .waitsFor(bailed)
                .and()
                .says("Fact of the second")
                .whenAsked("patient");
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
