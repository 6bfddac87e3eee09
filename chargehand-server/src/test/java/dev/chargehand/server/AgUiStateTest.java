package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state of AG-UI's clients, which each snapshot replaces as a whole. */
@Timeout(120)
class AgUiStateTest extends ServerFixture {

    record Shape(int side) {}

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        Agent shaper = Agent.builder("shaper")
                .description("Shapes.")
                .model(script.modelFor("shaper"))
                .defaultOptions(options -> options.structuredOutput(Shape.class))
                .build();
        agents.add(shaper);
        agents.add(Agent.builder("chief")
                .model(script.modelFor("chief"))
                .agents(shaper)
                .build());
        return agents;
    }

    private List<Json> events(ChargehandServer server, String agent, Object state) {
        return events(server, agent, state, List.of(Map.of("id", "u", "role", "user", "content", "Go.")));
    }

    /** Connect to the thread of an agent. */
    private List<Json> connect(ChargehandServer server, String agent, Object state) {
        return events(server, agent, state, List.of());
    }

    private List<Json> events(ChargehandServer server, String agent, Object state, List<Object> messages) {
        Map<String, Object> body = Map.of(
                "threadId",
                "t-" + agent,
                "runId",
                "r-" + Json.of(state).text().hashCode(),
                "messages",
                messages,
                "state",
                state);
        return post(server, "/ag-ui/" + agent, body)
                .body()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> Json.parse(line.substring(6)))
                .toList();
    }

    private static List<Json> of(List<Json> events, String type) {
        return events.stream()
                .filter(event ->
                        event.at("/type").flatMap(Json::string).orElse("").equals(type))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aSnapshotKeepsWhatTheStateOfTheClientHas(HttpBinding binding) {
        script.on("shaper").streams("{\"si", "de\":1}").forever();
        ChargehandServer server = serve(binding);
        List<Json> events = events(server, "shaper", Map.of("basket", List.of(1, 2), "object", "old"));
        assertThat(of(events, "STATE_SNAPSHOT"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.at("/snapshot/basket")).contains(Json.of(List.of(1, 2))));
        assertThat(of(events, "STATE_SNAPSHOT").getLast().at("/snapshot"))
                .contains(Json.of(Map.of("basket", List.of(1, 2), "object", Map.of("side", 1))));
        assertThat(of(events(server, "shaper", "text"), "STATE_SNAPSHOT")
                        .getLast()
                        .at("/snapshot"))
                .contains(Json.of(Map.of("object", Map.of("side", 1))));
    }

    @ParameterizedTest
    @EnumSource
    void theObjectOfASubAgentIsNotTheStateOfTheClient(HttpBinding binding) {
        script.on("chief").delegates("shaper", "Go.").then().says("Done.");
        script.on("shaper").says("{\"side\":1}").forever();
        List<Json> events = events(serve(binding), "chief", Map.of("basket", 1));
        assertThat(of(events, "STATE_SNAPSHOT")).isEmpty();
        assertThat(of(events, "CUSTOM")).anySatisfy(event -> {
            assertThat(event.at("/name").flatMap(Json::string)).contains("object-result");
            assertThat(event.at("/value/object")).contains(Json.of(Map.of("side", 1)));
            assertThat(event.at("/subagentRunId")).isPresent();
        });
        assertThat(of(events, "RUN_FINISHED").getLast().at("/result/text").flatMap(Json::string))
                .contains("Done.");
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatConnectsHasTheObjectOfTheLastAnswer(HttpBinding binding) {
        script.on("shaper")
                .says("{\"side\":1}")
                .then()
                .says("{\"side\":2}")
                .then()
                .says("none")
                .forever();
        ChargehandServer server = serve(binding);
        List<Json> first = connect(server, "shaper", Map.of());
        assertThat(of(first, "STATE_SNAPSHOT")).isEmpty();
        assertThat(of(first, "RUN_FINISHED")).hasSize(1);
        for (int i = 0; i < 3; i++) { // the last one has no object
            assertThat(events(server, "shaper", Map.of("turn", i))).isNotEmpty();
        }
        List<Json> events = connect(server, "shaper", Map.of("basket", 1, "object", "old"));
        assertThat(of(events, "STATE_SNAPSHOT")).singleElement().satisfies(event -> assertThat(event.at("/snapshot"))
                .contains(Json.of(Map.of("basket", 1, "object", Map.of("side", 2)))));
        assertThat(of(events, "RUN_FINISHED")).hasSize(1);
    }
}
