package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.tool.Tool;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What AG-UI's clients send besides messages. A stream that does not end as it must fails the test by its time. */
@Timeout(120)
class AgUiInputTest extends ServerFixture {

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("helper")
                .model(script.modelFor("helper"))
                .tools(Tool.external("locate", "Works at the client.", JsonSchema.of(Order.class)))
                .build());
        return agents;
    }

    private static Map<String, Object> body(String run, List<?> context, Map<?, ?>... messages) {
        return Map.of(
                "threadId", "t", "runId", run, "messages", List.of(messages), "tools", List.of(), "context", context);
    }

    private static Map<String, Object> user(String text) {
        return Map.of("id", "u-" + text, "role", "user", "content", text);
    }

    private String lastInput() {
        return script.requests().getLast().messages().getLast().text();
    }

    @ParameterizedTest
    @EnumSource
    void theContextOfTheClientIsDataOfTheNewestMessage(HttpBinding binding) {
        script.on("writer").says("One.").forever();
        ChargehandServer server = serve(binding);
        List<?> context = List.of(
                Map.of("description", "The page", "value", "Basket"), Map.of("description", "Items", "value", "3"));
        assertThat(post(server, "/ag-ui/writer", body("1", context, user("Go.")))
                        .statusCode())
                .isEqualTo(200);
        assertThat(lastInput())
                .startsWith("<client-instructions-")
                .contains("The page: Basket\nItems: 3")
                .endsWith("Go.");
        Map<String, Object> answer = Map.of("id", "a", "role", "assistant", "content", "One.");
        List<?> later = List.of(Map.of("description", "The page", "value", "Checkout"));
        assertThat(post(server, "/ag-ui/writer", body("2", later, user("Go."), answer, user("On.")))
                        .statusCode())
                .isEqualTo(200);
        assertThat(lastInput())
                .contains("The page: Checkout")
                .doesNotContain("Basket")
                .endsWith("On.");
        HttpResponse<String> wrong = post(server, "/ag-ui/writer", body("3", List.of("text"), user("Go.")));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(at(wrong, "/param")).isEqualTo("context[0]");
    }

    @ParameterizedTest
    @EnumSource
    void theErrorOfAToolOfTheClientIsItsResult(HttpBinding binding) {
        script.on("helper").calls("locate", Map.of("amount", 1)).then().says("Nowhere.");
        ChargehandServer server = serve(binding);
        String first = post(server, "/ag-ui/helper", body("1", List.of(), user("Where?")))
                .body();
        String call = first.lines()
                .filter(line -> line.contains("TOOL_CALL_START"))
                .map(line -> Json.parse(line.substring(6))
                        .at("/toolCallId")
                        .flatMap(Json::string)
                        .orElseThrow())
                .findFirst()
                .orElseThrow();
        Map<String, Object> failed =
                Map.of("id", "r", "role", "tool", "toolCallId", call, "content", "", "error", "no signal");
        String second = post(server, "/ag-ui/helper", body("2", List.of(), user("Where?"), failed))
                .body();
        assertThat(second).contains("Nowhere.");
        String seen = script.requests().getLast().messages().getLast().toJson().text();
        assertThat(seen).contains("no signal");
    }

    @ParameterizedTest
    @EnumSource
    void anApprovalWithOtherArgumentsApprovesNothing(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        String first =
                post(server, "/ag-ui/clerk", body("1", List.of(), user("Pay."))).body();
        String finished = first.lines()
                .filter(line -> line.contains("RUN_FINISHED"))
                .findFirst()
                .orElseThrow()
                .substring(6);
        Json interrupt = Json.parse(finished).at("/outcome/interrupts/0").orElseThrow();
        assertThat(interrupt.at("/responseSchema/additionalProperties").map(Json::text))
                .contains("false");
        String id = interrupt.at("/id").flatMap(Json::string).orElseThrow();
        HttpResponse<String> edited =
                post(server, "/ag-ui/clerk", resume(id, Map.of("approved", true, "editedArgs", Map.of("amount", 9))));
        assertThat(edited.statusCode()).isEqualTo(400);
        assertThat(at(edited, "/param")).isEqualTo("resume[0].payload.editedArgs");
        assertThat(paid).isEmpty();
        post(server, "/ag-ui/clerk", resume(id, Map.of("approved", true, "reason", "It is due.")));
        assertThat(paid).containsExactly(7);
    }

    private static Map<String, Object> resume(String interrupt, Map<?, ?> payload) {
        Map<String, Object> body = new HashMap<>(body("2", List.of(), user("Pay.")));
        body.put("resume", List.of(Map.of("interruptId", interrupt, "status", "resolved", "payload", payload)));
        return body;
    }

    @ParameterizedTest
    @EnumSource
    void whatTheUserSaysAfterACallThatWaitsIsReadWithItsAnswer(HttpBinding binding) {
        script.on("clerk")
                .calls("pay", Map.of("amount", 7))
                .then()
                .says("Paid.")
                .then()
                .calls("pay", Map.of("amount", 8))
                .then()
                .says("Paid again.");
        ChargehandServer server = serve(binding);
        for (boolean isShown : List.of(true, false)) {
            String first = post(server, "/ag-ui/clerk", body("1" + isShown, List.of(), user("Pay " + isShown)))
                    .body();
            Json interrupt = Json.parse(first.lines()
                            .filter(line -> line.contains("RUN_FINISHED"))
                            .findFirst()
                            .orElseThrow()
                            .substring("data: ".length()))
                    .at("/outcome/interrupts/0")
                    .orElseThrow();
            String call = interrupt.at("/toolCallId").flatMap(Json::string).orElseThrow();
            Map<String, Object> asks = Map.of(
                    "id",
                    "a",
                    "role",
                    "assistant",
                    "toolCalls",
                    List.of(Map.of(
                            "id",
                            isShown ? call : "other",
                            "type",
                            "function",
                            "function",
                            Map.of("name", "pay", "arguments", "{}"))));
            Map<String, Object> resume =
                    new HashMap<>(body("2" + isShown, List.of(), user("Pay " + isShown), asks, user("And hurry.")));
            resume.put(
                    "resume",
                    List.of(Map.of(
                            "interruptId",
                            interrupt.at("/id").flatMap(Json::string).orElseThrow(),
                            "status",
                            "resolved",
                            "payload",
                            Map.of("approved", true))));
            HttpResponse<String> answer = post(server, "/ag-ui/clerk", resume);
            assertThat(answer.body()).as(first).contains("RUN_FINISHED");
            assertThat(script.requests().getLast().messages().stream()
                            .filter(message -> message.text().equals("And hurry.")))
                    .as("shown: " + isShown)
                    .hasSize(1);
        }
    }
}
