package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RequestContext;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What chats of the AI SDK send. A stream that does not end as it must fails the test by its time. */
@Timeout(120)
class AiSdkInputTest extends ServerFixture {

    record Verdict(boolean accepted) {}

    @Override
    List<Agent> agents() {
        Step<Order, Boolean> ask =
                Step.of("ask", Order.class, Boolean.class, (order, context) -> context.resumeData(Verdict.class)
                        .map(Verdict::accepted)
                        .orElseGet(() -> context.suspend(Map.of("question", "May it be paid?"))));
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("officer")
                .model(script.modelFor("officer"))
                .workflows(Workflow.from("review", Order.class)
                        .description("Asks a person.")
                        .then(ask)
                        .build(Boolean.class))
                .build());
        Tool tier = Tool.builder("tier", "Names the tier of the caller.")
                .input(Order.class)
                .handler((order, context) -> context.requestContext()
                        .get(RequestContext.Key.of("tier", String.class))
                        .orElse("none"))
                .build();
        agents.add(Agent.builder("teller")
                .model(script.modelFor("teller"))
                .tools(tier)
                .build());
        return agents;
    }

    private static Map<String, Object> user(String text) {
        return Map.of("id", "u-" + text, "role", "user", "parts", List.of(Map.of("type", "text", "text", text)));
    }

    @ParameterizedTest
    @EnumSource
    void aChatSendsItsNewestMessageAlone(HttpBinding binding) {
        script.on("writer").says("One.").then().says("Two.");
        ChargehandServer server = serve(binding);
        assertThat(post(server, "/ai-sdk/writer", Map.of("id", "c", "message", user("Go.")))
                        .body())
                .contains("One.");
        assertThat(post(server, "/ai-sdk/writer", Map.of("id", "c", "message", user("On.")))
                        .body())
                .contains("Two.");
        assertThat(script.requests().getLast().messages().stream().map(Message::text))
                .endsWith("Go.", "One.", "On.");
    }

    @ParameterizedTest
    @EnumSource
    void aChatSendsValuesThatCallersMaySet(HttpBinding binding) {
        script.on("teller").calls("tier", Map.of("amount", 1)).then().says("Yes.");
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addContextKey("tier"));
        Map<String, Object> body = Map.of("id", "c", "message", user("Go."), "requestContext", Map.of("tier", "gold"));
        assertThat(post(server, "/ai-sdk/teller", body).body())
                .contains("\"output\":\"gold\"")
                .contains("Yes.");
        HttpResponse<String> other = post(
                server,
                "/ai-sdk/teller",
                Map.of("id", "c", "message", user("On."), "requestContext", Map.of("role", "admin")));
        assertThat(other.statusCode()).isEqualTo(400);
        assertThat(at(other, "/param")).isEqualTo("requestContext");
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerOfACallIsInAMessageAlone(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        String asked = post(server, "/ai-sdk/clerk", Map.of("id", "c", "message", user("Pay.")))
                .body();
        String approval = asked.lines()
                .filter(line -> line.contains("tool-approval-request"))
                .map(line -> Json.parse(line.substring(6)).at("/approvalId").flatMap(Json::string))
                .findFirst()
                .orElseThrow()
                .orElseThrow();
        Map<String, Object> part = Map.of(
                "type",
                "dynamic-tool",
                "state",
                "approval-responded",
                "approval",
                Map.of("id", approval, "approved", true));
        Map<String, Object> message = Map.of("id", "a", "role", "assistant", "parts", List.of(part));
        assertThat(post(server, "/ai-sdk/clerk", Map.of("id", "c", "message", message))
                        .body())
                .contains("paid 7", "Paid.");
        HttpResponse<String> wrong = post(server, "/ai-sdk/writer", Map.of("id", "c", "message", "Go."));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(at(wrong, "/param")).isEqualTo("message");
    }

    @ParameterizedTest
    @EnumSource
    void whatAStepOfAWorkflowAsksForIsAPart(HttpBinding binding) {
        script.on("officer").calls("workflow-review", Map.of("amount", 7));
        List<Json> parts = post(serve(binding), "/ai-sdk/officer", Map.of("id", "c", "message", user("Pay.")))
                .body()
                .lines()
                .filter(line -> line.contains("data-tool-call-suspended"))
                .map(line -> Json.parse(line.substring(6)))
                .toList();
        assertThat(parts).hasSize(1);
        assertThat(parts.getFirst().at("/data/payload/question").flatMap(Json::string))
                .contains("May it be paid?");
        assertThat(parts.getFirst().at("/data/id")).isPresent();
        assertThat(parts.getFirst().at("/transient")).isEmpty();
    }
}
