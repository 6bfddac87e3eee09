package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.tool.Tool;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What clients choose for the first call of the model. */
@Timeout(120)
class ChosenToolsTest extends ServerFixture {

    private static final String CHAT = "/v1/chat/completions";
    private static final String RESPONSES = "/v1/responses";
    private static final String MASTRA = "/api/agents/helper/generate";
    private static final Map<String, Object> LOCATE = Map.of("name", "locate", "parameters", Map.of("type", "object"));
    private static final Map<String, Object> IN_CHAT = Map.of("type", "function", "function", LOCATE);

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        Tool own = Tool.of("own", "Works.", Order.class, (order, context) -> "done");
        agents.add(Agent.builder("helper")
                .model(script.modelFor("helper"))
                .tools(own, Tool.external("fixed", "Works at the client.", JsonSchema.of(Order.class)))
                .agents(agents.getFirst())
                .acceptClientTools()
                .build());
        agents.add(Agent.builder("narrow")
                .model(script.modelFor("narrow"))
                .tools(own, Tool.of("other", "Works.", Order.class, (order, context) -> "done"))
                .defaultOptions(options -> options.activeTools("own"))
                .build());
        return agents;
    }

    private static Map<String, Object> with(Map<String, Object> body, Object... more) {
        Map<String, Object> all = new HashMap<>(body);
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    private static Map<String, Object> chat(String agent, Object choice) {
        return Map.of(
                "model", agent, "messages", List.of(Map.of("role", "user", "content", "Go.")), "tool_choice", choice);
    }

    private static Map<String, Object> response(String agent, Object choice) {
        return Map.of("model", agent, "input", "Go.", "tool_choice", choice);
    }

    private static Map<String, Object> named(String name) {
        return Map.of("type", "function", "function", Map.of("name", name));
    }

    private List<ToolChoice> choices() {
        return script.requests().stream().map(ModelRequest::toolChoice).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aCallOfTheClientsToolIsForcedAndItsResultIsAnswered(HttpBinding binding) {
        script.on("helper").calls("locate", Map.of()).then().says("There.");
        ChargehandServer server = serve(binding);
        Map<String, Object> body = with(chat("helper", named("locate")), "tools", List.of(IN_CHAT));
        HttpResponse<String> asks = post(server, CHAT, body);
        assertThat(at(asks, "/choices/0/finish_reason")).as(asks.body()).isEqualTo("tool_calls");
        String call = at(asks, "/choices/0/message/tool_calls/0/id");
        List<Object> messages = List.of(
                Map.of("role", "user", "content", "Go."),
                Map.of("role", "assistant", "content", "", "tool_calls", List.of()),
                Map.of("role", "tool", "tool_call_id", call, "content", "Rome"));
        HttpResponse<String> answer = post(server, CHAT, with(body, "messages", messages));
        assertThat(at(answer, "/choices/0/message/content")).as(answer.body()).isEqualTo("There.");
        assertThat(choices()).containsExactly(ToolChoice.tool("locate"), ToolChoice.auto());
    }

    @ParameterizedTest
    @EnumSource
    void aCallIsForcedInTheFirstStepOnly(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        Map<String, Map<String, Object>> requests = Map.of(
                CHAT, chat("helper", "required"),
                RESPONSES, response("helper", "required"),
                MASTRA, Map.of("messages", "Go.", "toolChoice", "required"));
        int before = 0;
        for (Map.Entry<String, Map<String, Object>> request : requests.entrySet()) {
            script.on("helper").calls("own", Map.of("amount", 1)).then().says("Done.");
            HttpResponse<String> answer = post(server, request.getKey(), request.getValue());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(choices().subList(before, choices().size()))
                    .as(request.getKey())
                    .containsExactly(ToolChoice.required(), ToolChoice.auto());
            before = choices().size();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNamedToolOfTheAgentOrASubAgentIsForced(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        script.on("helper").calls("own", Map.of("amount", 1)).then().says("Done.");
        HttpResponse<String> response =
                post(server, RESPONSES, response("helper", Map.of("type", "function", "name", "own")));
        assertThat(at(response, "/tool_choice/name")).as(response.body()).isEqualTo("own");
        script.on("helper").delegates("writer", "Write.").then().says("Done.");
        script.on("writer").says("Written.");
        HttpResponse<String> delegates = post(server, CHAT, chat("helper", named("agent-writer")));
        assertThat(delegates.statusCode()).as(delegates.body()).isEqualTo(200);
        script.on("helper").calls("own", Map.of("amount", 1)).then().says("Done.");
        Map<String, Object> ofMastra =
                Map.of("messages", "Go.", "toolChoice", Map.of("type", "tool", "toolName", "own"));
        assertThat(post(server, MASTRA, ofMastra).statusCode()).isEqualTo(200);
        assertThat(choices())
                .containsExactly(
                        ToolChoice.tool("own"),
                        ToolChoice.auto(),
                        ToolChoice.tool("agent-writer"),
                        ToolChoice.auto(), // of the sub-agent
                        ToolChoice.auto(),
                        ToolChoice.tool("own"),
                        ToolChoice.auto());
    }

    @ParameterizedTest
    @EnumSource
    void aChoiceThatCannotBeMetIsRejected(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        Map<String, Object> webSearch = Map.of("type", "web_search_preview");
        Map<Map<String, Object>, String> wrong = Map.of(
                chat("helper", named("missing")), "tool_choice.function.name",
                chat("writer", "required"), "tool_choice",
                chat("narrow", named("other")), "tool_choice.function.name",
                chat("helper/network", "required"), "tool_choice",
                chat("helper", "always"), "tool_choice",
                chat("helper", 7), "tool_choice",
                chat("helper", Map.of("type", "function")), "tool_choice.function",
                chat("helper", Map.of("type", "allowed_tools")), "tool_choice.type");
        wrong.forEach((body, param) -> {
            HttpResponse<String> answer = post(server, CHAT, body);
            assertThat(answer.statusCode()).as(body + answer.body()).isEqualTo(400);
            assertThat(at(answer, "/error/param")).as(answer.body()).isEqualTo(param);
        });
        HttpResponse<String> hosted = post(server, RESPONSES, response("helper", webSearch));
        assertThat(at(hosted, "/error/param")).isEqualTo("tool_choice.type");
        HttpResponse<String> nameless = post(server, RESPONSES, response("helper", Map.of("type", "function")));
        assertThat(at(nameless, "/error/param")).isEqualTo("tool_choice.name");
        HttpResponse<String> mastra =
                post(server, MASTRA, Map.of("messages", "Go.", "toolChoice", Map.of("type", "tool", "toolName", "no")));
        assertThat(mastra.statusCode()).isEqualTo(400);
        assertThat(at(mastra, "/error")).contains("'toolChoice.toolName'");
        assertThat(script.requests()).isEmpty();
    }
}
