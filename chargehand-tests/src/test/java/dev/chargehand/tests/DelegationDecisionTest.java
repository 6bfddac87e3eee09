package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.run.RequestContext;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What becomes of what the hooks around a delegation decide. */
class DelegationDecisionTest {

    private static final String SYSTEM = "system: You supervise.";
    private static final String TASK = "user: Do the task";
    private static final String CALL = "assistant: agent-researcher{\"prompt\":\"P\"}";
    private static final RequestContext.Key<String> TENANT = RequestContext.Key.of("tenant", String.class);
    private static final RequestContext.Key<Runnable> HANDLE = RequestContext.Key.transientOf("handle", Runnable.class);

    // PRD 7.1: onDelegationStart can reject delegation
    // PRD 7.1: Rejected delegation returns error to LLM
    @Test
    void aRejectedDelegationIsAToolErrorWithTheReasonAndTheSubAgentIsNotCalled() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationStart(start -> DelegationDecision.reject("Premium required"))
                        .observeDelegationStart(start -> heard.add("observe"))
                        .onDelegationComplete(end -> Steps.noted(heard, "complete", end.accept())),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Without it")),
                Turns.of("researcher"));
        assertThat(heard).as("nothing began, so nothing completed").isEmpty();
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
        assertThat(ran.request("supervisor", 2))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        CALL,
                        "tool: agent-researcher error: Agent 'researcher' was not called. Reason: Premium required");
        assertThat(ran.result()).finished().hasText("Without it").toolFailed("agent-researcher", "Premium required");
        assertThatEvents(ran.events())
                .areInOrder("tool-call", "delegation-rejected", "tool-error", "step-finish")
                .doNotContain("delegation-start")
                .doNotContain("delegation-end");
        assertThat(ran.all(RunEvent.DelegationRejected.class))
                .singleElement()
                .satisfies(event -> assertThat(event.toJson().text()).contains("Premium required"));
    }

    @Test
    void oneOfTwoDelegationsIsRejectedAndTheOtherRuns() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationStart(start -> start.key().equals("researcher")
                        ? DelegationDecision.reject("Not now.")
                        : DelegationDecision.proceed()),
                () -> Scripts.twoDelegations().on("researcher").on("writer").says("Draft"));
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: agent-researcher error: Agent 'researcher' was not called. Reason: Not now."
                        + " agent-writer = Draft");
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
    }

    // PRD 7.1: onDelegationStart can modify prompt
    @Test
    void thePromptCanBeReplaced() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationStart(
                        start -> DelegationDecision.proceed().withPrompt(start.prompt() + "\n\nBe concise.")),
                Scripts::oneDelegation);
        assertThat(ran.request("researcher", 1))
                .containsExactly("system: You are researcher.", TASK, "user: P\n\nBe concise.");
        assertThat(ran.request("supervisor", 2))
                .as("the supervisor's own words stay")
                .containsExactly(SYSTEM, TASK, CALL, "tool: agent-researcher = Fact");
        assertThat(ran.all(RunEvent.DelegationStart.class))
                .extracting(event -> event.prompt())
                .containsExactly("P\n\nBe concise.");
    }

    @Test
    void addedInstructionsAreAppendedToTheSubAgentsOwnSystemMessage() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationStart(start -> DelegationDecision.proceed().withInstructions("Cite sources.")),
                Scripts::oneDelegation);
        assertThat(ran.request("researcher", 1))
                .containsExactly("system: You are researcher.\n\nCite sources.", TASK, "user: P");
    }

    @Test
    void theStepsOfADelegationCanBeLoweredAndNotRaised() {
        assertThat(callsWithSteps(2)).isEqualTo(2);
        assertThat(callsWithSteps(50)).isEqualTo(5);
        Steps.assertMisconfigured(() -> DelegationDecision.proceed().withMaxSteps(0), "at least 1");
    }

    private static int callsWithSteps(int maxSteps) {
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.member("researcher", Crew.OK)),
                o -> o.onDelegationStart(start -> DelegationDecision.proceed().withMaxSteps(maxSteps)),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher", Turn.answers(Steps.counting()).forever()));
        int calls = ran.script().requestsOf("researcher").size();
        assertThat(ran.result()).toolFailed("agent-researcher", "all of its " + calls + " steps");
        return calls;
    }

    @Test
    void aDelegationCanGetValuesOfTheRequestThatAreItsOwn() {
        List<String> seen = new CopyOnWriteArrayList<>();
        var who = Steps.tool("who", (in, context) -> {
            seen.add(context.path() + " " + context.requestContext().get(TENANT).orElse("none") + " "
                    + context.requestContext().get(HANDLE).isPresent());
            return "seen";
        });
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.member("researcher", who), who),
                o -> o.requestContext(RequestContext.of(TENANT, "acme"))
                        .onDelegationStart(start -> DelegationDecision.proceed()
                                .withRequestContext(
                                        RequestContext.of(TENANT, "sub").with(HANDLE, () -> {}))),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.calls("who", "{}"), Turn.says("Done")),
                Turns.of("researcher", Turn.calls("who", "{}"), Turn.says("Fact")));
        assertThat(ran.result()).finished();
        assertThat(Both.alike(seen)).containsExactly("supervisor/researcher sub true", "supervisor acme false");
    }

    @Test
    void feedbackAboutADelegationReachesTheNextModelCall() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> end.accept().withFeedback("Ask the writer next.")),
                Scripts::oneDelegation);
        assertThat(ran.request("supervisor", 2))
                .containsExactly(SYSTEM, TASK, CALL, "tool: agent-researcher = Fact", "system: Ask the writer next.");
        assertThat(ran.script()
                        .requestsOf("supervisor")
                        .get(1)
                        .messages()
                        .getLast()
                        .internal())
                .isTrue();
    }

    @Test
    void feedbackAboutConcurrentDelegationsStandsAfterAllResultsInCallOrder() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> DelegationVerdict.accept().withFeedback("About " + end.key() + ".")),
                Scripts::researcherFirst);
        assertThat(ran.request("supervisor", 2).subList(3, 6))
                .containsExactly(
                        "tool: agent-researcher = Fact agent-writer = Draft",
                        "system: About researcher.",
                        "system: About writer.");
    }

    @Test
    void aReplacedTextMakesAFailedDelegationASuccess() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(
                        end -> end.isSuccess() ? end.accept() : end.accept().withText("Nothing was found.")),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of(
                        "researcher",
                        Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null))));
        assertThat(ran.request("supervisor", 2).getLast()).isEqualTo("tool: agent-researcher = Nothing was found.");
        assertThat(ran.result().toolResults().getFirst().error()).isEmpty();
    }
}
