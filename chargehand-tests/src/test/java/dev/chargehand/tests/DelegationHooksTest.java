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
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** What the hooks around a delegation are told, and when they are asked at all. */
class DelegationHooksTest {

    private static final RequestContext.Key<String> TENANT = RequestContext.Key.of("tenant", String.class);

    private static Agent facts(Agent researcher) {
        return Agent.builder("supervisor")
                .instructions("You supervise.")
                .model("none/none")
                .addAgent("facts", researcher)
                .tools(Crew.OK)
                .build();
    }

    // PRD 7.1: Delegation hooks receive correct context
    @Test
    void theHookBeforeADelegationIsToldWhatIsAskedOfWhomAndWhere() {
        List<DelegationStartContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .calls("ok", "{}")
                        .then()
                        .says("I will ask. ")
                        .and()
                        .calls("agent-facts", "{\"prompt\":\"P\",\"extra\":1}")
                        .then()
                        .says("Done")
                        .on("researcher")
                        .says("Fact"))
                .agent(facts(Crew.RESEARCHER))
                .options(o -> o.thread("t")
                        .resource("u")
                        .requestContext(RequestContext.of(TENANT, "acme"))
                        .onDelegationStart(start -> {
                            heard.add(start);
                            return DelegationDecision.proceed();
                        }))
                .run();
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
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("facts", "P")
                        .then()
                        .says("Done")
                        .on("researcher")
                        .calls("look", "{\"q\":\"a\"}")
                        .then()
                        .says("Fact"))
                .agent(facts(Crew.member("researcher", Crew.LOOK)))
                .options(o -> o.thread("t").resource("u").onDelegationComplete(end -> {
                    heard.add(end);
                    return end.accept();
                }))
                .run();
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
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .then()
                        .says("Done")
                        .on("researcher")
                        .says("Some")
                        .and()
                        .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null)))
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(end -> {
                    heard.add(end);
                    return end.accept();
                }))
                .run();
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
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .calls("ok", "{}")
                        .then()
                        .calls("look", "{}")
                        .then()
                        .says("Done"))
                .agent(Crew.supervisor(Crew.OK, Crew.LOOK))
                .options(o -> o.onDelegationStart(start -> {
                            heard.add("start");
                            return DelegationDecision.reject("none");
                        })
                        .observeDelegationStart(start -> heard.add("observe"))
                        .messageFilter(filter -> {
                            heard.add("filter");
                            return List.of();
                        })
                        .onDelegationComplete(end -> {
                            heard.add("complete");
                            return end.bail();
                        }))
                .run();
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
                            meet(together);
                            heard.add("start " + start.key() + " " + start.prompt() + " " + start.callId());
                            return DelegationDecision.proceed().withPrompt(start.prompt() + "!");
                        })
                        .onDelegationComplete(end -> {
                            meet(together);
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

    private static void meet(CyclicBarrier together) {
        try {
            together.await();
        } catch (Exception e) {
            throw new IllegalStateException("The other did not come.", e);
        }
    }

    @Test
    void theObserverHearsOfEveryDelegationThatBeginsAsItBegins() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.ways(() -> Scripts.twoDelegations().on("writer").says("Draft"))
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationStart(start -> start.key().equals("writer")
                                ? DelegationDecision.proceed().withPrompt("Shorter.")
                                : DelegationDecision.reject("No."))
                        .observeDelegationStart(start -> heard.add(start.key() + " " + start.prompt())))
                .run();
        assertThat(Both.alike(heard)).containsExactly("writer Shorter.");
        assertThat(ran.result()).finished();
    }

    @Test
    void hooksOfASupervisorAreNotAskedAboutWhatItsSubAgentsDelegate() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Agent middle = Agent.builder("middle")
                .description("Stands between.")
                .model("none/none")
                .agents(Crew.RESEARCHER)
                .build();
        Both.ways(() -> ScriptedModel.script()
                        .on("top")
                        .delegates("middle", "P1")
                        .then()
                        .says("Done")
                        .on("middle")
                        .delegates("researcher", "P2")
                        .then()
                        .says("Fact")
                        .on("researcher")
                        .says("Raw"))
                .agent(Agent.builder("top").model("none/none").agents(middle).build())
                .options(o -> o.onDelegationStart(start -> {
                    heard.add(start.key());
                    return DelegationDecision.proceed();
                }))
                .run();
        assertThat(Both.alike(heard)).containsExactly("middle");
    }
}
