package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.run.StopReason;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sub-agents with a typed input and output. */
class TypedSubAgentTest {

    record Order(String topic, int sources) {}

    record Report(String title, List<String> points) {}

    private static final Agent RESEARCHER = Crew.member(
            "researcher", agent -> agent.input(Order.class).output(Report.class).acceptModelInstructions());

    private static final String GOOD = "{\"title\":\"T\",\"points\":[\"a\"]}";

    private static Ran asking(String arguments, String answer) {
        return Both.run(
                Crew.supervisorOf(RESEARCHER),
                Turns.of("supervisor", Turn.calls("agent-researcher", arguments), Turn.says("Done")),
                Turns.saying("researcher", answer));
    }

    @Test
    void theSchemaOfTheInputReplacesPromptAndInstructions() {
        Ran ran = asking("{\"topic\":\"AI\",\"sources\":3}", GOOD);
        String schema = ran.script()
                .requests()
                .getFirst()
                .tools()
                .getFirst()
                .input()
                .json()
                .text();
        assertThat(schema)
                .contains("topic")
                .contains("sources")
                .doesNotContain("prompt")
                .doesNotContain("instructions");
        assertThat(ran.request("researcher", 1).subList(1, 3))
                .containsExactly("user: Do the task", "user: {\"topic\":\"AI\",\"sources\":3}");
    }

    @Test
    void anInputThatBreaksItsSchemaIsNotExecuted() {
        Ran ran = asking("{\"topic\":\"AI\",\"sources\":\"many\"}", "never");
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
        assertThat(ran.result()).finished().toolFailed("agent-researcher", "/sources");
    }

    @Test
    void theSubAgentIsToldTheSchemaOfItsAnswerAndTheSupervisorGetsTheValue() {
        Ran ran = asking("{\"topic\":\"AI\",\"sources\":3}", "```json\n" + GOOD + "\n```");
        assertThat(ran.request("researcher", 1).getFirst())
                .startsWith("system: You are researcher.\n\nAnswer with nothing but one JSON value")
                .contains("points");
        assertThat(ran.request("supervisor", 2).getLast()).isEqualTo("tool: agent-researcher = " + GOOD);
        assertThat(ran.result().toolResults().getFirst().output().orElseThrow().as(Report.class))
                .isEqualTo(new Report("T", List.of("a")));
    }

    @Test
    void anAnswerThatBreaksItsSchemaIsAnErrorResultThatSaysWhat() {
        Ran ran = asking("{\"topic\":\"AI\",\"sources\":3}", "{\"title\":1}");
        assertThat(ran.request("supervisor", 2).getLast())
                .startsWith("tool: agent-researcher error: The answer of agent 'researcher' breaks its output schema: ")
                .contains("/title")
                .endsWith("What it said: {\"title\":1}");
        Ran prose = asking("{\"topic\":\"AI\",\"sources\":3}", "Sorry, no.");
        assertThat(prose.result()).toolFailed("agent-researcher", "breaks its output schema");
    }

    @Test
    void anAnswerThatBreaksItsSchemaIsAFailureToTheHookAndBailsAsOne() {
        Ran ran = Both.run(
                Crew.supervisorOf(RESEARCHER),
                o -> o.onDelegationComplete(
                        end -> end.isSuccess() ? end.accept() : end.bail().withText("Nothing usable was found.")),
                Turns.of("supervisor", Turn.calls("agent-researcher", "{\"topic\":\"AI\",\"sources\":3}")),
                Turns.saying("researcher", "Sorry, no."));
        assertThat(ran.result()).hasText("Nothing usable was found.");
        assertThat(ran.result().stopReason())
                .isInstanceOfSatisfying(StopReason.Bailed.class, bailed -> assertThat(bailed.failure())
                        .isEqualTo("invalid-output"));
    }

    @Test
    void aTypedAnswerThatBailsIsTheAnswerAsJson() {
        Ran ran = Both.run(
                Crew.supervisorOf(RESEARCHER),
                o -> o.onDelegationComplete(DelegationCompleteContext::bail),
                Turns.of("supervisor", Turn.calls("agent-researcher", "{\"topic\":\"AI\",\"sources\":3}")),
                Turns.saying("researcher", GOOD));
        assertThat(ran.result()).hasText(GOOD);
    }
}
