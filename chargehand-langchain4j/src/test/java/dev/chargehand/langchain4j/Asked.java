package dev.chargehand.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.WireReply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A model and the provider behind it, on this machine. */
final class Asked implements AutoCloseable {

    static final ToolDefinition LOOK =
            new ToolDefinition("look", "Looks.", JsonSchema.of(Json.parse("{\"type\":\"object\",\"properties\":{}}")));

    final LoopbackProvider server = LoopbackProvider.start();
    final ModelWire wire;
    private final LangChain4jProvider provider;
    private final Model model;
    private final List<Message> conversation = new ArrayList<>(List.of(Message.user("Hi")));
    private ToolDefinition tool = LOOK;
    private ToolChoice choice = ToolChoice.auto();
    private ModelSettings settings = ModelSettings.DEFAULT;

    Asked(ModelWire wire, String name) {
        this.wire = wire;
        String protocol = name.substring(0, name.indexOf('/'));
        provider = LangChain4jProvider.builder()
                .baseUrl(protocol, wire.baseUrl(server))
                .key(protocol, "k")
                .build();
        model = provider.find(name).orElseThrow();
    }

    Asked effort(String value) {
        settings = settings.reasoningEffort(value);
        return this;
    }

    Asked settings(ModelSettings value) {
        settings = value;
        return this;
    }

    Asked tool(ToolDefinition value) {
        tool = value;
        return this;
    }

    Asked choosing(ToolChoice value) {
        choice = value;
        return this;
    }

    Asked saying(Message... messages) {
        conversation.addAll(List.of(messages));
        return this;
    }

    /** Goes on with an answer, and with a result for each of its calls. */
    Asked goingOnWith(ModelResponse answer) {
        List<Part> said = new ArrayList<>();
        List<Part> results = new ArrayList<>();
        said.add(new Part.Reasoning(answer.reasoning(), answer.providerState()));
        if (!answer.text().isEmpty()) {
            said.add(new Part.Text(answer.text()));
        }
        for (ModelResponse.RequestedCall call : answer.toolCalls()) {
            String id = "call_" + said.size();
            said.add(new Part.ToolCall(id, call.providerId(), call.name(), call.arguments()));
            results.add(new Part.ToolResult(id, call.name(), "seen", false));
        }
        conversation.add(new Message("", Role.ASSISTANT, said, false));
        if (!results.isEmpty()) {
            conversation.add(new Message("", Role.TOOL, results, false));
        }
        return this;
    }

    ModelResponse answer(String... events) throws InterruptedException {
        return ask(wire.reply(Stream.of(events)
                .map(event -> event.getBytes(StandardCharsets.UTF_8))
                .toList()));
    }

    ModelResponse ask(WireReply reply) throws InterruptedException {
        server.enqueue(reply);
        return model.ask(new ModelRequest(conversation, List.of(tool), choice, settings), new Ignored());
    }

    /** Returns what was sent last, of which a strict server would refuse nothing. */
    Json sent() {
        var request = server.log().getLast().request();
        assertThat(wire.problems(request)).isEmpty();
        return Json.parse(request.body());
    }

    String sent(String pointer) {
        return sent().at(pointer).map(Json::text).orElse("nothing");
    }

    @Override
    public void close() {
        provider.close();
        server.close();
    }

    /** A call nobody listens to. */
    private static final class Ignored implements ModelCall {
        @Override
        public void delta(ModelDelta delta) {}

        @Override
        public void onCancel(Runnable close) {}

        @Override
        public Duration connectTimeout() {
            return Duration.ofSeconds(10);
        }
    }
}
