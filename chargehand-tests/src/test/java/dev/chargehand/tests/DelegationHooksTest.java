package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.error.ModelException;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationStartContext;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** What the hooks around a delegation are told, and when they are asked at all. */
class DelegationHooksTest {

    private static final RequestContext.Key<String> TENANT = RequestContext.Key.of("tenant", String.class);

    private static Agent facts(Agent researcher) {
        return Crew.agent("supervisor", agent -> agent.instructions("You supervise.")
                .addAgent("facts", researcher)
                .tools(Crew.OK));
    }

    // PRD 7.1: Delegation hooks receive correct context
    @Test
    void theHookBeforeADelegationIsToldWhatIsAskedOfWhomAndWhere() {
        List<DelegationStartContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                facts(Crew.RESEARCHER),
                o -> o.thread("t")
                        .resource("u")
                        .requestContext(RequestContext.of(TENANT, "acme"))
                        .onDelegationStart(start -> Steps.noted(heard, start, DelegationDecision.proceed())),
                Turns.of(
                        "supervisor",
                        Turn.calls("ok", "{}"),
                        Turn.says("I will ask. ").and(Turn.calls("agent-facts", "{\"prompt\":\"P\",\"extra\":1}")),
                        Turn.says("Done")),
                Turns.saying("researcher", "Fact"));
        assertThat(heard).hasSize(2);
        DelegationStartContext start = heard.get(1);
        assertThat(start.agentId()).isEqualTo("researcher");
        assertThat(start.key()).isEqualTo("facts");
        assertThat(start.prompt()).isEqualTo("P");
        assertThat(start.arguments().text()).isEqualTo("{\"prompt\":\"P\",\"extra\":1}");
        assertThat(start.step()).isEqualTo(2);
        assertThat(start.callId())
                .isEqualTo(ran.result().toolResults().getLast().callId());
        assertThat(start.run().runId()).isEqualTo(ran.result().runId());
        assertThat(start.run().agentId()).isEqualTo("supervisor");
        assertThat(start.run().threadId()).contains("t");
        assertThat(start.run().resourceId()).contains("u");
        assertThat(start.run().requestContext().get(TENANT)).contains("acme");
        assertThat(start.messages().stream().map(Wire::line))
                .containsExactly("user: Do the task", "assistant: ok{}", "tool: ok = {\"fine\":true}");
    }

    // PRD 7.1: Delegation hooks receive correct context
    @Test
    void theHookAfterADelegationIsToldItsResultItsCostAndHowItCameAbout() {
        List<DelegationCompleteContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                facts(Crew.member("researcher", Crew.LOOK)),
                o -> o.thread("t").resource("u").onDelegationComplete(end -> Steps.noted(heard, end, end.accept())),
                Turns.of("supervisor", Turn.delegates("facts", "P"), Turn.says("Done")),
                Turns.of("researcher", Turn.calls("look", "{\"q\":\"a\"}"), Turn.says("Fact")));
        assertThat(heard).hasSize(2);
        DelegationCompleteContext end = heard.get(1);
        assertThat(end.agentId()).isEqualTo("researcher");
        assertThat(end.key()).isEqualTo("facts");
        assertThat(end.prompt()).isEqualTo("P");
        assertThat(end.isSuccess()).isTrue();
        assertThat(end.error()).isEmpty();
        assertThat(end.text()).isEqualTo("Fact");
        assertThat(end.stopReason()).isEqualTo(new StopReason.Finished());
        assertThat(end.usage()).isEqualTo(Usage.of(20, 10));
        assertThat(end.toolResults()).singleElement().satisfies(outcome -> {
            assertThat(outcome.toolName()).isEqualTo("look");
            assertThat(outcome.output()).isPresent();
        });
        assertThat(end.step()).isEqualTo(1);
        assertThat(end.callId()).isEqualTo(ran.result().toolResults().getFirst().callId());
        assertThat(end.childRunId())
                .isEqualTo(ran.result().toolResults().getFirst().childRunId().orElseThrow());
        assertThat(end.threadId()).hasValueSatisfying(id -> assertThat(id).startsWith("thread_"));
        assertThat(end.duration()).isZero();
        assertThat(end.run().runId()).isEqualTo(ran.result().runId());
        assertThat(end.run().threadId()).contains("t");
        assertThat(end.messages().stream().map(Wire::line)).containsExactly("user: Do the task");
    }

    @Test
    void theHookAfterADelegationIsToldOfAFailureToo() {
        List<DelegationCompleteContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> Steps.noted(heard, end, end.accept())),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of(
                        "researcher",
                        Turn.says("Some")
                                .and(Turn.failsWith(
                                        new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null)))));
        DelegationCompleteContext end = heard.getLast();
        assertThat(heard).hasSize(2);
        assertThat(end.isSuccess()).isFalse();
        assertThat(end.error()).hasValueSatisfying(error -> {
            assertThat(error)
                    .hasMessage(
                            "Agent 'researcher' gave no complete answer. It failed (model-authentication). What there"
                                    + " is of its answer: Some")
                    .hasCauseInstanceOf(ModelException.class);
            assertThat(error.code()).isEqualTo("model-authentication");
            assertThat(error.retryable()).isFalse();
        });
        assertThat(end.text()).isEqualTo("Some");
        assertThat(end.stopReason().code()).isEqualTo("failed");
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: agent-researcher error: "
                        + end.error().orElseThrow().getMessage());
    }

    // PRD 7.1: Delegation hooks only fire for `agent-` prefixed tools
    // PRD 7.1: Regular tools execute without delegation hooks
    @Test
    void regularToolsNeverMeetTheHooksOfDelegations() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(Crew.OK, Crew.LOOK),
                o -> o.onDelegationStart(start -> Steps.noted(heard, "start", DelegationDecision.reject("none")))
                        .observeDelegationStart(start -> heard.add("observe"))
                        .messageFilter(filter -> Steps.noted(heard, "filter", List.of()))
                        .onDelegationComplete(end -> Steps.noted(heard, "complete", end.bail())),
                Turn.calls("ok", "{}"),
                Turn.calls("look", "{}"),
                Turn.says("Done"));
        assertThat(heard).isEmpty();
        assertThat(ran.result()).finished().hasText("Done").calledTool("ok").calledTool("look");
        assertThatEvents(ran.events())
                .doNotContain("delegation-start")
                .doNotContain("delegation-rejected")
                .doNotContain("hook-error");
    }

    // PRD 7.1: Concurrent sub-agents each get own hook calls
    @Test
    void concurrentDelegationsAreEachAskedAboutOnceAndSideBySide() {
        List<String> heard = new CopyOnWriteArrayList<>();
        CyclicBarrier together = new CyclicBarrier(2);
        Ran ran = Both.ways(() -> Scripts.twoDelegations()
                        .on("researcher")
                        .says("Fact")
                        .on("writer")
                        .says("Draft"))
                .mintingSideBySide()
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationStart(start -> {
                            Waiting.at(together);
                            heard.add("start " + start.key() + " " + start.prompt() + " " + start.callId());
                            return DelegationDecision.proceed().withPrompt(start.prompt() + "!");
                        })
                        .onDelegationComplete(end -> {
                            Waiting.at(together);
                            heard.add("complete " + end.key() + " " + end.prompt() + " " + end.callId());
                            return DelegationVerdict.accept().withText(end.text() + "?");
                        }))
                .run();
        String first = ran.result().toolResults().get(0).callId();
        String second = ran.result().toolResults().get(1).callId();
        assertThat(heard.subList(4, 8))
                .containsExactlyInAnyOrder(
                        "start researcher P1 " + first,
                        "start writer P2 " + second,
                        "complete researcher P1! " + first,
                        "complete writer P2! " + second);
        assertThat(ran.request("researcher", 1).getLast()).isEqualTo("user: P1!");
        assertThat(ran.request("writer", 1).getLast()).isEqualTo("user: P2!");
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: agent-researcher = Fact? agent-writer = Draft?");
    }

    @Test
    void theObserverHearsOfEveryDelegationThatBeginsAsItBegins() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationStart(start -> start.key().equals("writer")
                                ? DelegationDecision.proceed().withPrompt("Shorter.")
                                : DelegationDecision.reject("No."))
                        .observeDelegationStart(start -> heard.add(start.key() + " " + start.prompt())),
                () -> Scripts.twoDelegations().on("writer").says("Draft"));
        assertThat(Both.alike(heard)).containsExactly("writer Shorter.");
        assertThat(ran.result()).finished();
    }

    @Test
    void hooksOfASupervisorAreNotAskedAboutWhatItsSubAgentsDelegate() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Agent middle = Crew.agent("middle", agent -> agent.agents(Crew.RESEARCHER));
        Both.run(
                Agent.builder("top").model("none/none").agents(middle).build(),
                o -> o.onDelegationStart(start -> Steps.noted(heard, start.key(), DelegationDecision.proceed())),
                Turns.of("top", Turn.delegates("middle", "P1"), Turn.says("Done")),
                Turns.of("middle", Turn.delegates("researcher", "P2"), Turn.says("Fact")),
                Turns.saying("researcher", "Raw"));
        assertThat(Both.alike(heard)).containsExactly("middle");
    }
}
