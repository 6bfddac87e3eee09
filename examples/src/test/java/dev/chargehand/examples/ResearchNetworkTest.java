package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs the research network with scripted models; its events are those that the reference prints, in that order. */
class ResearchNetworkTest {

    private static final String TO_RESEARCH =
            "{\"primitiveId\":\"research-agent\",\"primitiveType\":\"agent\",\"prompt\":\"Find three ways\","
                    + "\"selectionReason\":\"Facts come first\"}";
    private static final String TO_WRITING =
            "{\"primitiveId\":\"writing-agent\",\"primitiveType\":\"agent\",\"prompt\":\"Write up: agents, memory\","
                    + "\"selectionReason\":\"The facts are there\"}";
    private static final String TO_WEATHER =
            "{\"primitiveId\":\"weather-tool\",\"primitiveType\":\"tool\",\"prompt\":\"{\\\"location\\\":\\\"London\\\"}\","
                    + "\"selectionReason\":\"It is about the weather\"}";
    private static final String MORE = "{\"isComplete\":false,\"completionReason\":\"It is not written yet.\"}";

    private static String done(String result) {
        return "{\"isComplete\":true,\"completionReason\":\"All is there.\",\"finalResult\":\"" + result + "\"}";
    }

    private static final Tool WEATHER = Tool.of(
            "weather-tool",
            "Tells the weather.",
            ResearchNetwork.Place.class,
            (in, context) -> Map.of("weather", "rain"));

    private static Script researchAndWriting() {
        return ScriptedModel.script()
                .on("routing-agent")
                .says(TO_RESEARCH)
                .then()
                .says(MORE)
                .then()
                .says(TO_WRITING)
                .then()
                .says(done(""))
                .on("research-agent")
                .says("- agents\n- memory")
                .on("writing-agent")
                .says("A full report.");
    }

    private static Agent router(TestRuntime test) {
        return test.bind(ResearchNetwork.router("openai/gpt-5-mini", WEATHER));
    }

    @Test
    void twoAgentsWorkAndTheirEventsAreThoseOfTheReference() {
        Script script = researchAndWriting();
        try (TestRuntime test = TestRuntime.with(script)) {
            List<String> log = new ArrayList<>();
            assertThat(ResearchNetwork.network(router(test), "Tell me three cool ways", log::add))
                    .isEqualTo("A full report.");
            assertThat(log)
                    .containsExactly(
                            "research-agent: Facts come first",
                            "= - agents\n- memory",
                            "writing-agent: The facts are there",
                            "= A full report.");
            String[] iteration = {
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
                "network-execution-event-step-finish"
            };
            List<String> types = test.events().stream().map(RunEvent::type).toList();
            int second = types.lastIndexOf("routing-agent-start");
            assertThat(types.subList(0, second)).containsSubsequence(iteration);
            assertThat(types.subList(second, types.size())).containsSubsequence(iteration);
            assertThat(types).endsWith("network-execution-event-finish", "run-finish");
            script.assertExhausted();
        }
    }

    @Test
    void theWeatherToolIsChosenAndItsEventsAreThoseOfTheReference() {
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("routing-agent")
                .says(TO_WEATHER)
                .then()
                .says(done("It rains.")))) {
            List<String> log = new ArrayList<>();
            assertThat(ResearchNetwork.network(router(test), "What's the weather in London?", log::add))
                    .isEqualTo("It rains.");
            assertThat(test.events())
                    .extracting(RunEvent::type)
                    .containsSubsequence(
                            "routing-agent-start",
                            "routing-agent-end",
                            "tool-execution-start",
                            "tool-execution-end",
                            "network-execution-event-step-finish");
        }
    }

    @Test
    void theFindingsAreSeenAsTheyArriveAndAreTypedInTheEnd() {
        Script script = researchAndWriting()
                .on("routing-agent")
                .streams("{\"summary\":\"It grows.\",\"recomm", "endations\":[\"Learn\"],", "\"confidence\":0.8}");
        try (TestRuntime test = TestRuntime.with(script)) {
            List<String> seen = new ArrayList<>();
            assertThat(ResearchNetwork.typed(router(test), partial -> seen.add(partial.text())))
                    .isEqualTo(new ResearchNetwork.Findings("It grows.", List.of("Learn"), 0.8));
            assertThat(seen.getFirst()).isEqualTo("{\"summary\":\"It grows.\"}");
            assertThat(test.events())
                    .extracting(RunEvent::type)
                    .containsSubsequence("network-object", "network-object-result", "network-execution-event-finish");
        }
    }

    @Test
    void aHookEndsTheNetworkAfterTheWriter() {
        Script script = ScriptedModel.script()
                .on("routing-agent")
                .says(TO_WRITING)
                .on("writing-agent")
                .says("A full report.");
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThat(ResearchNetwork.stopsAfterTheWriter(router(test))).hasText("A full report.");
        }
    }

    @Test
    void theSupervisorDoesTheSame() {
        Script script = ScriptedModel.script()
                .on("routing-agent")
                .delegates("writing-agent", "Write")
                .then()
                .says("The same report.")
                .on("writing-agent")
                .says("A full report.")
                .forever();
        try (TestRuntime test = TestRuntime.with(script)) {
            List<String> log = new ArrayList<>();
            assertThat(ResearchNetwork.supervisor(router(test), "Go", log::add)).isEqualTo("The same report.");
            assertThat(log).containsExactly("writing-agent: Write", "= A full report.");
        }
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("routing-agent")
                .delegates("writing-agent", "Write")
                .on("writing-agent")
                .says("A full report."))) {
            assertThat(ResearchNetwork.theWriterHasTheLastWord(router(test))).hasText("A full report.");
        }
    }
}
