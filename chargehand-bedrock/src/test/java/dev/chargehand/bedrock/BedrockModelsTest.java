package dev.chargehand.bedrock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.model.WireAnswer;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.eventstream.HeaderValue;

/** What Bedrock demands of single models, and what their answers are like. */
class BedrockModelsTest {

    private static final String CLAUDE = "bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0";
    private static final ToolDefinition LOOK =
            new ToolDefinition("look", "Looks.", JsonSchema.of(Json.parse("{\"type\":\"object\",\"properties\":{}}")));

    private final LoopbackProvider server = LoopbackProvider.start();
    private final ModelWire wire = ModelWire.bedrock();
    private final BedrockProvider provider = BedrockProvider.builder()
            .baseUrl(wire.baseUrl(server))
            .environment(Map.of("AWS_BEARER_TOKEN_BEDROCK", "key-1")::get)
            .build();

    @AfterEach
    void close() {
        provider.close();
        server.close();
    }

    private ModelResponse ask(String name, ModelRequest request) throws InterruptedException {
        return provider.find(name).orElseThrow().ask(request, new Ignored());
    }

    private ModelResponse ask(String name) throws InterruptedException {
        return ask(
                name,
                new ModelRequest(List.of(Message.user("Hi")), List.of(), ToolChoice.auto(), ModelSettings.DEFAULT));
    }

    private ReceivedRequest sent() {
        ReceivedRequest request = server.log().getLast().request();
        assertThat(wire.problems(request)).isEmpty();
        return request;
    }

    private String sent(String pointer) {
        return Json.parse(sent().body()).at(pointer).map(Json::text).orElse("nothing");
    }

    /** Llama and others reject the field even if it says what is so anyway. */
    @ParameterizedTest
    @CsvSource({"auto, nothing", "required, '{\"any\":{}}'", "look, '{\"tool\":{\"name\":\"look\"}}'"})
    void aChoiceIsSentOnlyWhereThereIsOne(String choice, String expected) throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ToolChoice wanted = choice.equals("auto")
                ? ToolChoice.auto()
                : choice.equals("required") ? ToolChoice.required() : ToolChoice.tool(choice);
        ask(CLAUDE, new ModelRequest(List.of(Message.user("Hi")), List.of(LOOK), wanted, ModelSettings.DEFAULT));
        assertThat(sent("/toolConfig/toolChoice")).isEqualTo(expected);
        assertThat(sent("/toolConfig/tools/0/toolSpec/name")).contains("look");
    }

    /** Llama, Mistral Large and others: the answer comes in one piece instead, from then on at once. */
    @Test
    void aModelThatDoesNotStreamCallsIsAskedForAWholeAnswer() throws InterruptedException {
        String model = "bedrock/us.meta.llama3-3-70b-instruct-v1:0";
        ModelRequest request =
                new ModelRequest(List.of(Message.user("Hi")), List.of(LOOK), ToolChoice.auto(), ModelSettings.DEFAULT);
        Reply rejection =
                Reply.status(400).body("{\"message\":\"This model doesn't support tool use in streaming mode.\"}");
        Reply whole = Reply.status(200)
                .body("{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[{\"reasoningContent\":{"
                        + "\"reasoningText\":{\"text\":\"Hm\",\"signature\":\"c2ln\"}}},{\"text\":\"I look.\"},{\"toolUse\":{"
                        + "\"toolUseId\":\"c1\",\"name\":\"look\",\"input\":{\"at\":1}}}]}},\"stopReason\":\"tool_use\","
                        + "\"usage\":{\"inputTokens\":7,\"outputTokens\":3,\"totalTokens\":10}}");
        server.enqueue(rejection);
        server.enqueue(whole);
        server.enqueue(whole);
        Model llama = provider.find(model).orElseThrow();
        ModelResponse answer = llama.ask(request, new Ignored());
        assertThat(answer.text()).isEqualTo("I look.");
        assertThat(answer.reasoning()).isEqualTo("Hm");
        assertThat(answer.providerState()).contains("c2ln");
        assertThat(answer.toolCalls()).containsExactly(new ModelResponse.RequestedCall("c1", "look", "{\"at\":1}"));
        assertThat(answer.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(answer.usage()).isEqualTo(Usage.of(7, 3));
        assertThat(sent().path()).endsWith("/converse");
        assertThat(llama.ask(request, new Ignored())).isEqualTo(answer);
        assertThat(server.requestCount()).isEqualTo(3);
    }

    @Test
    void aWholeAnswerThatIsNoneIsAFault() {
        server.enqueue(
                Reply.status(400).body("{\"message\":\"This model doesn't support tool use in streaming mode.\"}"));
        server.enqueue(Reply.status(200).body("{\"output\":"));
        ModelRequest request =
                new ModelRequest(List.of(Message.user("Hi")), List.of(LOOK), ToolChoice.auto(), ModelSettings.DEFAULT);
        ModelException e = catchThrowableOfType(ModelException.class, () -> ask(CLAUDE, request));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
    }

    /** Only Claude and Nova accept it. */
    @ParameterizedTest
    @CsvSource({
        "anthropic.claude-3-7-sonnet-20250219-v1:0, error",
        "eu.amazon.nova-pro-v1:0, error",
        "us.meta.llama3-3-70b-instruct-v1:0, nothing",
        "mistral.mistral-large-2407-v1:0, nothing"
    })
    void aResultHasItsStatusWhereModelsAcceptIt(String model, String status) throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask(
                "bedrock/" + model,
                new ModelRequest(
                        List.of(
                                Message.user("Hi"),
                                Message.of(Role.ASSISTANT, new Part.ToolCall("c", "c1", "look", "{}")),
                                Message.of(Role.TOOL, new Part.ToolResult("c", "look", "failed", true))),
                        List.of(LOOK),
                        ToolChoice.auto(),
                        ModelSettings.DEFAULT));
        assertThat(sent("/messages/2/content/0/toolResult/status").replace("\"", ""))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"malformed_tool_use", "malformed_model_output"})
    void anAnswerThatBedrockCouldNotReadMayBeReadableNextTime(String reason) {
        server.enqueue(wire.reply(List.of(
                frame("messageStart", "{\"role\":\"assistant\"}"),
                frame("messageStop", "{\"stopReason\":\"" + reason + "\"}"))));
        ModelException e = catchThrowableOfType(ModelException.class, () -> ask(CLAUDE));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
        assertThat(e.retryable()).isTrue();
        assertThat(e).hasMessageContaining(reason);
    }

    /** A signature holds only where it was. */
    @Test
    void thinkingGoesBackToItsPlaceAmongCalls() throws InterruptedException {
        server.enqueue(wire.reply(List.of(
                frame("messageStart", "{\"role\":\"assistant\"}"),
                frame(
                        "contentBlockStart",
                        "{\"contentBlockIndex\":0,\"start\":{\"toolUse\":{\"toolUseId\":\"c1\",\"name\":\"look\"}}}"),
                frame("contentBlockStop", "{\"contentBlockIndex\":0}"),
                frame(
                        "contentBlockDelta",
                        "{\"contentBlockIndex\":1,\"delta\":{\"reasoningContent\":{\"text\":\"Hm\"}}}"),
                frame(
                        "contentBlockDelta",
                        "{\"contentBlockIndex\":1,\"delta\":{\"reasoningContent\":{\"signature\":\"c2ln\"}}}"),
                frame("contentBlockStop", "{\"contentBlockIndex\":1}"),
                frame("messageStop", "{\"stopReason\":\"tool_use\"}"),
                frame("metadata", "{\"usage\":{}}"))));
        ModelResponse answer = ask(CLAUDE);
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask(CLAUDE, goingOnWith(answer));
        assertThat(sent("/messages/1/content/0/toolUse/toolUseId")).contains("c1");
        assertThat(sent("/messages/1/content/1/reasoningContent/reasoningText/signature"))
                .contains("c2ln");
    }

    private static byte[] frame(String type, String json) {
        return new software.amazon.eventstream.Message(
                        Map.of(
                                ":message-type", HeaderValue.fromString("event"),
                                ":event-type", HeaderValue.fromString(type)),
                        json.getBytes(StandardCharsets.UTF_8))
                .toByteBuffer()
                .array();
    }

    @Test
    void laterModelsOfAnthropicGetNoTemperature() throws InterruptedException {
        server.enqueue(wire.reply(WireAnswer.text("ok")));
        ask("bedrock/eu.anthropic.claude-opus-4-7-20260401-v1:0", thinking("none"));
        assertThat(sent("/inferenceConfig")).isEqualTo("nothing");
    }

    private static ModelRequest goingOnWith(ModelResponse answer) {
        List<Part> said = List.of(
                new Part.Reasoning(answer.reasoning(), answer.providerState()),
                new Part.ToolCall("call_1", "c1", "look", "{}"));
        return new ModelRequest(
                List.of(
                        Message.user("Hi"),
                        new Message("", Role.ASSISTANT, said, false),
                        new Message("", Role.TOOL, List.of(new Part.ToolResult("call_1", "look", "", false)), false)),
                List.of(),
                ToolChoice.auto(),
                ModelSettings.DEFAULT);
    }

    private static ModelRequest thinking(String effort) {
        return new ModelRequest(
                List.of(Message.user("Hi")),
                List.of(LOOK),
                ToolChoice.auto(),
                ModelSettings.DEFAULT.reasoningEffort(effort).temperature(0.5));
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
