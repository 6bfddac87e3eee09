package dev.chargehand.config.internal.offline;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A conversation with the stand-in, put together by hand. */
final class Asked implements ModelCall {

    private final List<Message> messages = new ArrayList<>();
    private final List<ToolDefinition> tools = new ArrayList<>();
    final List<ModelDelta> deltas = new ArrayList<>();

    static Asked with(String instructions) {
        Asked asked = new Asked();
        asked.messages.add(Message.system(instructions));
        return asked;
    }

    static Asked ask(String question) {
        return with("You are helpful.").user(question);
    }

    Asked user(String text) {
        messages.add(Message.user(text));
        return this;
    }

    Asked assistant(String text) {
        messages.add(Message.assistant(text));
        return this;
    }

    Asked internal(String text) {
        messages.add(new Message("", Role.USER, List.of(new Part.Text(text)), true));
        return this;
    }

    Asked subAgent(String key, String description) {
        return tool("agent-" + key, description, """
                {"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}""");
    }

    Asked searchTool() {
        return tool("search-files", "Searches the documents.", """
                {"type":"object","properties":{"query":{"type":"string"},"limit":{"type":["integer","null"]}},
                 "required":["query"]}""");
    }

    Asked tool(String name, String description, String schema) {
        tools.add(new ToolDefinition(name, description, JsonSchema.of(Json.parse(schema))));
        return this;
    }

    /** Adds a call and what it gave. */
    Asked gave(String tool, String output) {
        return result(tool, output, false);
    }

    Asked failed(String tool, String error) {
        return result(tool, error, true);
    }

    private Asked result(String tool, String output, boolean error) {
        String id = "call-" + messages.size();
        messages.add(Message.of(Role.ASSISTANT, new Part.ToolCall(id, "", tool, "{}")));
        messages.add(Message.of(Role.TOOL, new Part.ToolResult(id, tool, output, error)));
        return this;
    }

    ModelResponse answer() throws InterruptedException {
        return new OfflineModel()
                .ask(new ModelRequest(messages, tools, ToolChoice.auto(), ModelSettings.DEFAULT), this);
    }

    String says() throws InterruptedException {
        ModelResponse answer = answer();
        if (!answer.toolCalls().isEmpty()) {
            throw new AssertionError("It calls " + answer.toolCalls());
        }
        return answer.text();
    }

    /** The tool called and its arguments, with a space between. */
    String calls() throws InterruptedException {
        RequestedCall call = answer().toolCalls().getFirst();
        return call.name() + " " + call.arguments();
    }

    /** The value of the only argument of the call. */
    String callsWith(String argument) throws InterruptedException {
        return Json.parse(answer().toolCalls().getFirst().arguments())
                .at("/" + argument)
                .flatMap(Json::string)
                .orElseThrow();
    }

    @Override
    public void delta(ModelDelta delta) {
        deltas.add(delta);
    }

    @Override
    public void onCancel(Runnable close) {}

    @Override
    public Duration connectTimeout() {
        return Duration.ofSeconds(10);
    }
}
