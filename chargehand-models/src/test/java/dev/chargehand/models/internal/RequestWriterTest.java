package dev.chargehand.models.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.provider.stream.WireIds;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestWriterTest {

    private static final ToolDefinition TOOL = new ToolDefinition(
            "search",
            "Searches.",
            JsonSchema.of(Json.parse("{ \"type\":\"object\",\"properties\":{},\"x-order\":[1.0] }")));

    @Test
    void aPlainRequestIsStreamedWithUsageAndNothingElse() {
        assertThat(write(request(Message.system("Be brief."), Message.user("Hi"))))
                .isEqualTo("{\"model\":\"m\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":["
                        + "{\"role\":\"system\",\"content\":\"Be brief.\"},{\"role\":\"user\",\"content\":\"Hi\"}]}");
    }

    @Test
    void internalMessagesAreSentWithTheirRole() {
        Message feedback = new Message("", Role.SYSTEM, List.of(new Part.Text("Try again.")), true);
        assertThat(write(request(Message.user("Hi"), feedback), Dialect.OPENAI))
                .contains("{\"role\":\"system\",\"content\":\"Try again.\"}")
                .doesNotContain("internal");
    }

    @Test
    void imagesAreSentInPartsAndTextAloneIsNot() {
        Message message =
                Message.of(Role.USER, new Part.Text("What?"), new Part.Image("image/png", "data:image/png,AA"));
        assertThat(write(request(message)))
                .contains("\"content\":[{\"type\":\"text\",\"text\":\"What?\"},"
                        + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png,AA\"}}]");
    }

    @Test
    void callsAndResultsCarryTheProvidersId() {
        assertThat(write(request(
                        Message.of(
                                Role.ASSISTANT,
                                new Part.Reasoning("secretly"),
                                call("ours", "theirs", "search", "{\"q\": 1}")),
                        Message.of(Role.TOOL, result("ours")))))
                .contains(
                        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"theirs\",\"type\":\"function\","
                                + "\"function\":{\"name\":\"search\",\"arguments\":\"{\\\"q\\\": 1}\"}}]}")
                .contains("{\"role\":\"tool\",\"tool_call_id\":\"theirs\",\"content\":\"out of ours\"}")
                .doesNotContain("secretly");
    }

    @Test
    void anIdThatIsMissingOrUsedTwiceIsReplacedByOurs() {
        String body = write(request(
                Message.of(
                        Role.ASSISTANT,
                        new Part.Text("Two."),
                        call("c1", "same", "search", "{}"),
                        call("c2", "same", "search", "{}"),
                        call("c3", "", "search", "{}"),
                        call("c4", null, "search", "{}"),
                        call("c5", "c1", "search", "{}")),
                Message.of(Role.TOOL, result("c1"), result("c2"), result("c3"), result("c4"), result("c5"))));
        for (String id : List.of("c1", "c2", "c3", "c4", "c5")) {
            assertThat(body)
                    .contains("\"id\":\"" + id + "\"")
                    .contains("\"tool_call_id\":\"" + id + "\",\"content\":\"out of " + id + "\"");
        }
        assertThat(body).contains("\"content\":\"Two.\",\"tool_calls\"").doesNotContain("same");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"a\":1,", "[1]", "null", "7", "{} {}", "{not json}"})
    void brokenArgumentsAreSentBackAsAnEmptyObject(String arguments) {
        assertThat(write(request(
                        Message.of(Role.ASSISTANT, call("c", "p", "f", arguments)),
                        Message.of(Role.TOOL, result("c")))))
                .contains("\"arguments\":\"{}\"");
    }

    @ParameterizedTest
    @CsvSource({"'', unknown_tool", "launch missiles!, launch_missiles_", "ok-name_1, ok-name_1"})
    void aNameThatAModelMadeUpIsMadeFitForARequest(String name, String sent) {
        assertThat(write(request(
                        Message.of(Role.ASSISTANT, call("c", "p", name, "{}")), Message.of(Role.TOOL, result("c")))))
                .contains("\"name\":\"" + sent + "\"");
        assertThat(WireIds.validName("x".repeat(99))).hasSize(64);
    }

    @Test
    void toolsAreSentWithTheirSchemaAsItIs() {
        assertThat(write(new ModelRequest(
                        List.of(Message.user("Hi")), List.of(TOOL), ToolChoice.auto(), ModelSettings.DEFAULT)))
                .endsWith(
                        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"search\",\"description\":\"Searches.\","
                                + "\"parameters\":{ \"type\":\"object\",\"properties\":{},\"x-order\":[1.0] }}}]}");
    }

    @Test
    void toolChoiceIsSentWhenItIsNotAutomatic() {
        assertThat(withTool(ToolChoice.auto())).doesNotContain("tool_choice");
        assertThat(withTool(ToolChoice.required())).contains("\"tool_choice\":\"required\"");
        assertThat(withTool(ToolChoice.tool("search")))
                .contains("\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"search\"}}");
        assertThat(withTool(ToolChoice.none())).doesNotContain("tool");
    }

    @Test
    void withoutToolsThereIsNoToolChoice() {
        ModelRequest request =
                new ModelRequest(List.of(Message.user("Hi")), List.of(), ToolChoice.required(), ModelSettings.DEFAULT);
        assertThat(write(request)).doesNotContain("tool");
    }

    @Test
    void settingsAreSentInTheDialectOfTheServer() {
        ModelSettings settings = ModelSettings.DEFAULT
                .temperature(0.5)
                .topP(0.9)
                .maxOutputTokens(100)
                .seed(7)
                .stopSequences(List.of("END"))
                .reasoningEffort("low");
        ModelRequest request = new ModelRequest(List.of(Message.user("Hi")), List.of(), ToolChoice.auto(), settings);
        assertThat(write(request, Dialect.OPENAI))
                .endsWith(
                        "\"temperature\":0.5,\"top_p\":0.9,\"max_completion_tokens\":100,\"seed\":7,\"stop\":[\"END\"],"
                                + "\"reasoning_effort\":\"low\"}");
        assertThat(write(request, Dialect.COMPATIBLE)).contains("\"max_tokens\":100");
        assertThat(write(request, Dialect.MISTRAL))
                .contains("\"random_seed\":7")
                .doesNotContain("stream_options");
    }

    @Test
    void aSchemaForTheAnswerIsSentAsItIsWhereTheServerTakesIt() {
        ModelRequest request = wanting("{ \"type\":\"object\",\"x-order\":[1.0] }");
        assertThat(write(request, Dialect.OPENAI))
                .endsWith("\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"answer\","
                        + "\"schema\":{ \"type\":\"object\",\"x-order\":[1.0] }}}}");
    }

    @ParameterizedTest
    @MethodSource("dialectsWithoutAFormat")
    void aSchemaForTheAnswerIsNotSentToOthers(Dialect dialect) {
        assertThat(write(wanting("{\"type\":\"object\"}"), dialect)).doesNotContain("response_format");
    }

    static List<Dialect> dialectsWithoutAFormat() {
        return List.of(Dialect.COMPATIBLE, Dialect.FOLLOWER, Dialect.MISTRAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"type\":\"array\"}", "{\"anyOf\":[]}"})
    void aSchemaThatIsNotOfAnObjectIsNotSent(String schema) {
        assertThat(write(wanting(schema), Dialect.OPENAI)).doesNotContain("response_format");
        assertThat(Dialect.OPENAI.takes(JsonSchema.of(Json.parse(schema)))).isFalse();
    }

    private static ModelRequest wanting(String schema) {
        return new ModelRequest(
                List.of(Message.user("Hi")),
                List.of(),
                ToolChoice.auto(),
                ModelSettings.DEFAULT,
                JsonSchema.of(Json.parse(schema)));
    }

    private static String withTool(ToolChoice choice) {
        return write(new ModelRequest(List.of(Message.user("Hi")), List.of(TOOL), choice, ModelSettings.DEFAULT));
    }

    private static ModelRequest request(Message... messages) {
        return new ModelRequest(List.of(messages), List.of(), ToolChoice.auto(), ModelSettings.DEFAULT);
    }

    private static Part.ToolCall call(String id, String providerId, String name, String arguments) {
        return new Part.ToolCall(id, providerId, name, arguments);
    }

    private static Part.ToolResult result(String id) {
        return new Part.ToolResult(id, "search", "out of " + id, false);
    }

    private static String write(ModelRequest request) {
        return write(request, Dialect.COMPATIBLE);
    }

    private static String write(ModelRequest request, Dialect dialect) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RequestWriter.write(out, "m", dialect, request);
        return out.toString(StandardCharsets.UTF_8);
    }
}
