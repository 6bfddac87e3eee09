package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.tool.Tool;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options with which Mastra's client starts a run of an agent: each has its effect, or is rejected. */
class MastraOptionsTest extends ServerFixture {

    private static final Json SCHEMA =
            Json.parse("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}},\"required\":[\"a\"]}");

    private ChargehandServer server;

    @Override
    List<Agent> agents() {
        Tool count = Tool.builder("count", "Counts.")
                .input(Order.class)
                .handler((order, context) -> {
                    Thread.sleep(
                            order.amount() == 1
                                    ? 200
                                    : 0); // if they are executed at once, the second is the first to end
                    paid.add(order.amount());
                    return "counted";
                })
                .build();
        return List.of(Agent.builder("counter")
                .model(script.modelFor("counter"))
                .tools(count)
                .build());
    }

    @BeforeEach
    void start() {
        server = serve(HttpBinding.JDK);
    }

    private HttpResponse<String> generate(String option, Object value) {
        Map<String, Object> body = new TreeMap<>(Map.of("messages", "Count."));
        body.put(option, value);
        return post(server, "/api/agents/counter/generate", body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "instructions | \"Be brief.\"",
                "instructions | [\"Be\", \"brief.\"]",
                "system | {\"role\": \"system\", \"content\": \"Be brief.\"}",
                "routing | {\"additionalInstructions\": \"Be brief.\", \"verboseIntrospection\": true}",
                "system | [{\"role\": \"system\", \"content\": [{\"type\": \"text\", \"text\": \"Be brief.\"}]}]",
            })
    void instructionsOfTheClientReachTheModelAsData(String option, String value) {
        script.on("counter").says("One.");
        HttpResponse<String> answer = generate(option, Json.parse(value));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Message asked = script.requestsOf("counter").getFirst().messages().getLast();
        assertThat(asked.text()).contains("client-instructions", "Be", "brief.").endsWith("Count.");
    }

    @Test
    void aToolIsNotExecutedWithoutTheApprovalThatTheClientRequires() {
        script.on("counter").calls("count", Map.of("amount", 3));
        HttpResponse<String> answer = generate("requireToolApproval", true);
        assertThat(at(answer, "/finishReason")).isEqualTo("suspended");
        assertThat(paid).isEmpty();
    }

    @Test
    void onlyToolsThatTheClientNamesAreActive() {
        script.on("counter").says("One.");
        assertThat(generate("activeTools", List.of()).statusCode()).isEqualTo(200);
        assertThat(script.requestsOf("counter").getFirst().tools()).isEmpty();
    }

    @Test
    void callsAreExecutedOneAfterTheOther() {
        script.on("counter")
                .calls("count", Map.of("amount", 1))
                .and()
                .calls("count", Map.of("amount", 2))
                .then()
                .says("Both.");
        generate("toolCallConcurrency", 1);
        assertThat(paid).containsExactly(1, 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"strict\" | 424 | ",
                "\"warn\" | 200 | ",
                "\"fallback\" | 200 | {\"a\":0}",
            })
    void anAnswerThatDoesNotFitIsHandledAsTheClientWants(String strategy, int status, @Nullable String object) {
        script.on("counter").says("No JSON.").forever();
        Map<String, Object> output = new TreeMap<>(Map.of("schema", SCHEMA, "errorStrategy", Json.parse(strategy)));
        if (object != null) {
            output.put("fallbackValue", Json.parse(object));
        }
        HttpResponse<String> answer = generate("structuredOutput", output);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(at(answer, "/object")).isEqualTo(object == null ? "" : object);
    }

    @Test
    void theTokensOfAnAnswerAreLimited() {
        script.on("counter").says("One.");
        generate("modelSettings", Map.of("maxOutputTokens", 7, "temperature", 0.2));
        assertThat(script.requestsOf("counter").getFirst().settings().maxOutputTokens())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "model | \"other/model\"",
                "toolsets | {\"more\": {\"a\": {}}}",
                "output | {\"type\": \"object\"}",
                "threadId | \"t1\"",
                "resourceId | \"ann\"",
                "versions | {\"agents\": {\"counter\": {\"status\": \"draft\"}}}",
                "inputProcessors | [\"moderation\"]",
                "outputProcessors | [\"moderation\"]",
                "errorProcessors | [\"retry\"]",
                "autoResumeSuspendedTools | true",
                "isTaskComplete | {\"strategy\": \"all\", \"scorers\": [{\"id\": \"citations\"}]}",
                "completion | {\"scorers\": [{\"id\": \"citations\"}]}",
                "delegation | {\"includeSubAgentToolResultsInModelContext\": true}",
                "maxSteps | 11",
                "maxProcessorRetries | 2",
                "toolCallConcurrency | 11",
                "toolCallConcurrency | 0",
                "toolCallConcurrency | {\"limit\": 11, \"strategy\": \"called\"}",
                "structuredOutput | {\"schema\": {\"type\": \"object\"}, \"model\": \"openai/gpt\"}",
                "structuredOutput | {\"schema\": {\"type\": \"object\"}, \"errorStrategy\": \"retry\"}",
                "structuredOutput | {\"schema\": {\"type\": \"object\"}, \"errorStrategy\": \"fallback\"}",
                "structuredOutput | {\"schema\": {\"type\": \"object\"}, \"errorStrategy\": \"fallback\", \"fallbackValue\": 3}",
                "toolChoice | \"always\"",
                "toolChoice | {\"type\": \"tool\", \"toolName\": \"missing\"}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"workingMemory\": {\"enabled\": true}}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"lastMessages\": 1001}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"lastMessages\": true}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"semanticRecall\": 7}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"semanticRecall\": {\"topK\": 9999}}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"semanticRecall\": {\"scope\": \"resource\"}}}",
            })
    void whatWouldChangeTheAnswerAndIsNotOfferedIsRejected(String option, String value) {
        HttpResponse<String> answer = generate(option, Json.parse(value));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(at(answer, "/error")).contains("'" + option);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "toolsets | {}",
                "versions | {}",
                "inputProcessors | []",
                "autoResumeSuspendedTools | false",
                "requireToolApproval | false",
                "toolChoice | \"auto\"",
                "toolChoice | \"required\"",
                "toolChoice | {\"type\": \"tool\", \"toolName\": \"count\"}",
                "toolChoice | \"none\"",
                "isTaskComplete | {}",
                "delegation | {}",
                "maxSteps | 10",
                "maxProcessorRetries | 0",
                "toolCallConcurrency | 3",
                "toolCallConcurrency | {\"limit\": 10, \"strategy\": \"called\"}",
                "providerOptions | {\"openai\": {\"store\": false}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"lastMessages\": 20, \"semanticRecall\": true}}",
                "memory | {\"thread\": \"t1\", \"resource\": \"ann\", \"options\": {\"semanticRecall\": {\"topK\": 3, \"messageRange\": 1, \"scope\": \"thread\"}}}",
            })
    void whatChangesNothingIsAccepted(String option, String value) {
        script.on("counter").says("One.");
        HttpResponse<String> answer = generate(option, Json.parse(value));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void theMemoryOfARunIsAsTheRequestWantsIt() {
        script.on("counter").says("One.").then().says("Two.").then().says("Three.");
        for (Object options : List.of(Map.of(), Map.of("lastMessages", false, "readOnly", true), Map.of())) {
            HttpResponse<String> answer =
                    generate("memory", Map.of("thread", "t1", "resource", "ann", "options", options));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
        assertThat(script.requestsOf("counter").stream()
                        .map(request -> request.messages().size()))
                .containsExactly(1, 1, 3);
    }

    @Test
    void messagesOfTheContextReachTheModel() {
        script.on("counter").says("One.").then().says("Two.").then().says("Three.");
        Map<String, Object> body = Map.of(
                "messages",
                "Count.",
                "context",
                List.of(Map.of("role", "user", "content", "Before."), Map.of("role", "assistant", "content", "Yes.")));
        Map<String, Object> inThread = new TreeMap<>(body);
        inThread.put("memory", Map.of("thread", "t1", "resource", "ann"));
        for (Map<String, Object> each : List.of(body, inThread)) {
            HttpResponse<String> answer = post(server, "/api/agents/counter/generate", each);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
        assertThat(script.requestsOf("counter").getFirst().messages().stream().map(Message::text))
                .containsExactly("Before.", "Yes.", "Count.");
        List<Message> fenced = script.requestsOf("counter").getLast().messages();
        assertThat(fenced).hasSize(1);
        assertThat(fenced.getFirst().text())
                .contains("client-instructions", "assistant: Yes.")
                .endsWith("Count.");
    }

    @Test
    void noToolIsOfferedIfTheClientChoosesNone() {
        script.on("counter").says("One.");
        assertThat(generate("toolChoice", "none").statusCode()).isEqualTo(200);
        assertThat(script.requestsOf("counter").getFirst().toolChoice()).isEqualTo(ToolChoice.none());
    }

    @Test
    void messagesOfTheUserInterfaceOfTheAiSdkAreRead() {
        script.on("counter").says("Two.");
        Map<String, String> call = Map.of("type", "tool-count", "toolCallId", "c1", "state", "output-available");
        HttpResponse<String> answer = generate(
                "messages",
                List.of(
                        Map.of("id", "1", "role", "user", "parts", List.of(text("Count."))),
                        Map.of(
                                "id",
                                "2",
                                "role",
                                "assistant",
                                "parts",
                                List.of(Map.of("type", "step-start"), call, text("One."))),
                        Map.of("id", "3", "role", "user", "parts", List.of(text("Count "), text("on.")))));
        assertThat(at(answer, "/text")).as(answer.body()).isEqualTo("Two.");
        assertThat(script.requestsOf("counter").getFirst().messages().stream().map(Message::text))
                .containsExactly("Count.", "One.", "Count on.");
        Map<String, String> file = Map.of("type", "file", "mediaType", "text/csv", "url", "data:text/csv;base64,AA");
        HttpResponse<String> rejected =
                generate("messages", List.of(Map.of("id", "1", "role", "user", "parts", List.of(file))));
        assertThat(at(rejected, "/error")).contains("parts[0].mediaType");
    }

    private static Map<String, String> text(String text) {
        return Map.of("type", "text", "text", text);
    }
}
