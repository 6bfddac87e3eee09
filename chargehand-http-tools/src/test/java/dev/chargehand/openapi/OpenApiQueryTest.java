package dev.chargehand.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.provider.connection.HttpCalls;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.http.LoopbackServer;
import dev.chargehand.tool.Tool;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An API that has its key in the query of every call: no model sets it, and no call is made without it. */
class OpenApiQueryTest {

    private static final String DOCUMENT = """
            openapi: 3.1.0
            paths:
              /places:
                get:
                  operationId: findPlaces
                  summary: Finds places.
                  parameters:
                    - { name: key, in: query, required: true, schema: { type: string } }
                    - { name: text, in: query, schema: { type: string } }
                    - name: filter
                      in: query
                      schema: { type: object, additionalProperties: true }
            """;

    private final LoopbackServer server = new LoopbackServer();
    private final HttpCalls http = new HttpCalls();
    private final Map<String, String> environment = new HashMap<>();

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    private OpenApiTools.Builder places() {
        return OpenApiTools.builder("places")
                .documentText(DOCUMENT, "places.yaml")
                .server(server.url() + "/v1")
                .operations("findPlaces");
    }

    private ToolOutcome call(OpenApiTools tools, Map<String, ?> arguments) {
        Tool tool = tools.tools(http, environment::get).getFirst();
        Script script = ScriptedModel.script();
        script.on("guide").calls(tool.name(), arguments).then().says("Done.");
        try (TestRuntime runtime = TestRuntime.with(script)) {
            return runtime.bind(Agent.builder("guide")
                            .model("test/guide")
                            .tools(tool)
                            .build())
                    .generate("Go")
                    .toolResults()
                    .getFirst();
        }
    }

    @Test
    void everyCallHasTheKeyOfNowAndNoModelSetsIt() {
        OpenApiTools tools =
                places().query("key", "${MAPS_KEY}").query("page size", "a&b").build();
        assertThat(tools.query()).containsEntry("key", "${MAPS_KEY}").containsEntry("page size", "a&b");
        assertThat(tools.tools(http, environment::get).getFirst().input().json().text())
                .doesNotContain("\"key\"");

        assertThat(call(tools, Map.of()).error().orElseThrow())
                .contains("its query parameter 'key' needs a variable that is not set (MAPS_KEY). Nothing was sent.");
        assertThat(tools.secrets(environment::get)).isEmpty();
        environment.put("MAPS_KEY", "k=1&x");
        assertThat(tools.secrets(environment::get)).containsExactly("k=1&x", "k%3D1%26x");
        call(tools, Map.of("text", "inn"));
        assertThat(call(tools, Map.of("filter", Map.of("key", "mine"))).error().orElseThrow())
                .contains("'filter' must not have a field 'key'");
        server.answers(403, "text/plain", "no");
        assertThat(call(tools, Map.of()).error().orElseThrow())
                .contains("(Sent were 'key' from MAPS_KEY; the operator has to check them.)");

        assertThat(server.log())
                .extracting(LoopbackServer.Received::target)
                .containsExactly(
                        "/v1/places?key=k%3D1%26x&page%20size=a%26b&text=inn",
                        "/v1/places?key=k%3D1%26x&page%20size=a%26b");
    }

    @Test
    void aKeyInCodeAndAQueryWithoutAServerAreReported() {
        assertThatThrownBy(() -> OpenApiTools.builder("places")
                        .documentText(DOCUMENT, "places.yaml")
                        .operations("findPlaces")
                        .query("appid", "s3cret")
                        .query(" ", "x")
                        .query("units", "")
                        .build())
                .isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(
                                String.valueOf(e.getMessage()).lines())
                        .contains(
                                "'appid' in 'query' of tool 'places' must have a variable of the environment such as"
                                        + " ${MY_TOKEN}, because a secret does not belong in a file or in code.",
                                "'' in 'query' of tool 'places' must have a name of 1 to 100 characters.",
                                "'units' in 'query' of tool 'places' must have a value.",
                                "tool 'places' has 'query' and needs 'server': the document must not decide which"
                                        + " server receives it."));
    }
}
