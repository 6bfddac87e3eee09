package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * The cases with networks that were observed on the reference, as in {@link ReferenceTest}: the same model calls, answers
 * and events, but where the contract is better.
 */
class ReferenceNetworkTest {

    private static final String TASK = "user: Do the task";

    record City(String city) {}

    private static final Tool WEATHER =
            Tool.of("weather", "Tells the weather.", City.class, (in, ctx) -> Map.of("temp", 20));

    private static void assertRouterIsAsked(Ran ran, int number, List<String> conversation) {
        assertThat(ran.request("supervisor", number)).hasSize(conversation.size() + 1);
        assertThat(ran.request("supervisor", number).getFirst())
                .startsWith("system: You supervise.\n\n")
                .contains("- researcher: researcher description", "- writer: writer description");
        // better: what the router is to do stands in its instructions, not in the mouth of the assistant
        List<String> said = ran.request("supervisor", number);
        assertThat(said.subList(1, said.size())).containsExactlyElementsOf(conversation);
        assertThat(Wire.tools(ran.script().requestsOf("supervisor").get(number - 1)))
                .isEmpty();
        assertThat(ran.script().requestsOf("supervisor").get(number - 1).output())
                .isNotNull();
    }

    @Test
    void case40OneAgentIsChosenAndTheCheckPasses() {
        List<IterationContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.ways(
                        Turns.saying(
                                "supervisor",
                                Routed.agent("researcher", "Find facts"),
                                Routed.complete("all good", "")),
                        Turns.saying("researcher", "Fact A"))
                .agent(Crew.supervisor())
                .network()
                .options(o ->
                        o.maxSteps(5).onIterationComplete(it -> Steps.noted(heard, it, IterationDecision.proceed())))
                .run();
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor");
        assertRouterIsAsked(ran, 1, List.of(TASK));
        assertThat(ran.request("researcher", 1))
                .containsExactly("system: You are researcher.", TASK, "user: Find facts");
        assertThat(ran.request("supervisor", 2).getLast()).contains("Do the task", "agent-researcher", "Fact A");
        assertThat(Routed.types(ran.events()))
                .containsExactly(
                        "run-start",
                        "routing-agent-start",
                        "routing-agent-end",
                        "agent-execution-start",
                        "agent-execution-event-start",
                        "agent-execution-event-step-start",
                        "agent-execution-event-text-start",
                        "agent-execution-event-text-delta",
                        "agent-execution-event-text-end",
                        "agent-execution-event-step-finish",
                        "agent-execution-event-finish",
                        "agent-execution-end",
                        "network-validation-start",
                        "network-validation-end",
                        "network-execution-event-step-finish",
                        "network-execution-event-finish",
                        "run-finish");
        // better: the hook is asked before the check, as everywhere
        assertThat(heard).extracting(IterationContext::iteration).containsExactly(1, 1);
        assertThat(heard.getLast().text()).isEqualTo("Fact A");
        assertThat(heard.getLast().subAgentsInvoked()).containsExactly("researcher");
        // better: the check counts too
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("Fact A")
                .hasUsage(Usage.of(10, 5))
                .hasTotalUsage(Usage.of(30, 15));
        assertThat(ran.result().completion().orElseThrow().scorers())
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.scorer()).isEqualTo("default-completion");
                    assertThat(check.reason()).isEqualTo("all good");
                });
    }

    @Test
    void case40cTheCheckFailsThenPasses() {
        Ran ran = Both.ways(
                        Turns.saying(
                                "supervisor",
                                Routed.agent("researcher", "P1"),
                                Routed.incomplete("need writing"),
                                Routed.agent("writer", "P2"),
                                Routed.complete("ok", "")),
                        Turns.saying("researcher", "FA"),
                        Turns.saying("writer", "WB"))
                .agent(Crew.supervisor())
                .network()
                .options(o -> o.maxSteps(5))
                .run();
        assertThat(ran.script().askedAgents())
                .containsExactly("supervisor", "researcher", "supervisor", "supervisor", "writer", "supervisor");
        // better: what a primitive gave is fenced, and what the check found is the framework's word
        List<String> second = ran.request("supervisor", 3);
        assertThat(second).hasSize(5);
        assertThat(second.subList(1, 3)).containsExactly(TASK, "assistant: " + Routed.agent("researcher", "P1"));
        assertThat(second.get(3)).startsWith("user: <result-").contains("of=\"agent researcher\"", "\nFA\n");
        assertThat(second.get(4)).startsWith("system: ").contains("default-completion", "need writing");
        assertThat(ran.request("writer", 1)).containsExactly("system: You are writer.", TASK, "user: P2");
        assertThat(ran.all(RunEvent.NetworkStepFinish.class))
                .extracting(RunEvent.NetworkStepFinish::text)
                .containsExactly("FA", "WB");
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("WB")
                .hasTotalUsage(Usage.of(60, 30));
        assertThat(ran.result().steps()).hasSize(2);
    }

    @Test
    void case40jAToolIsChosenAndTheCheckPutsItsResultIntoWords() {
        Ran ran = Both.ways(Turns.saying(
                        "supervisor", Routed.tool("weather", "{\"city\":\"Rome\"}"), Routed.complete("ok", "It is 20")))
                .agent(Crew.supervisor(WEATHER))
                .network()
                .options(o -> o.maxSteps(5))
                .run();
        assertRouterIsAsked(ran, 1, List.of(TASK));
        assertThat(ran.request("supervisor", 1).getFirst()).contains("- weather: Tells the weather.", "\"city\"");
        assertThat(Routed.types(ran.events()))
                .containsExactly(
                        "run-start",
                        "routing-agent-start",
                        "routing-agent-end",
                        "tool-execution-start",
                        "tool-execution-end",
                        "network-validation-start",
                        "routing-agent-text-start",
                        "routing-agent-text-delta",
                        "routing-agent-text-end",
                        "network-validation-end",
                        "network-execution-event-step-finish",
                        "network-execution-event-finish",
                        "run-finish");
        assertThat(ran.result())
                .stoppedBecause(new StopReason.TaskComplete())
                .hasText("It is 20")
                .hasTotalUsage(Usage.of(20, 10));
        assertThat(ran.result().toolResults()).singleElement().satisfies(call -> {
            assertThat(call.toolName()).isEqualTo("weather");
            assertThat(call.output().orElseThrow().text()).isEqualTo("{\"temp\":20}");
        });
    }
}
