package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What single services demand of a request that others of the same protocol do not. */
@Timeout(60)
class ServiceRequestsTest {

    private static final Message NOTE = new Message("", Role.SYSTEM, List.of(new Part.Text("Name your source.")), true);

    private static final String NOTED = "<system-note>\nName your source.\n</system-note>";

    @AutoClose
    private final LoopbackProvider server = LoopbackProvider.start();

    private ModelSettings settings = ModelSettings.DEFAULT;
    private List<ToolDefinition> tools = List.of();

    private ModelResponse ask(String name, Reply reply, Message... messages) throws InterruptedException {
        server.enqueue(reply);
        String provider = name.substring(0, name.indexOf('/')).toUpperCase(Locale.ROOT);
        Map<String, String> environment =
                Map.of(provider + "_BASE_URL", server.baseUrl(), provider + "_API_KEY", "k-4711");
        try (OpenAiCompatibleProvider found =
                OpenAiCompatibleProvider.builder().environment(environment::get).build()) {
            return found.find(name)
                    .orElseThrow()
                    .ask(new ModelRequest(List.of(messages), tools, ToolChoice.auto(), settings), new Recorder());
        }
    }

    private Json sent(String name, Message... messages) throws InterruptedException {
        ask(name, Reply.text("ok"), messages);
        return Json.parse(server.log().getLast().request().body());
    }

    private static String roles(Json body) {
        List<String> roles = new ArrayList<>();
        for (int i = 0; body.at("/messages/" + i).isPresent(); i++) {
            roles.add(body.at("/messages/" + i + "/role").flatMap(Json::string).orElse(""));
        }
        return String.join(" ", roles);
    }

    private static String text(Json body, String pointer) {
        return body.at(pointer)
                .map(found -> found.string().orElse(found.text()))
                .orElse("nothing");
    }

    private static Message calling(String id, String theirs, Part... before) {
        List<Part> parts = new ArrayList<>(List.of(before));
        parts.add(new Part.ToolCall(id, theirs, "look", "{}"));
        return new Message("", Role.ASSISTANT, parts, false);
    }

    private static Message result(String id) {
        return Message.of(Role.TOOL, new Part.ToolResult(id, "look", "seen", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mistral/mistral-large-latest", "openrouter/mistralai/devstral-2", "vllm/Ministral-3"})
    void mistralGetsIdsOfNineLettersAndDigits(String name) throws InterruptedException {
        Json body = sent(
                name,
                Message.user("Hi"),
                calling("call_1", "toolu_01AbCdEfGhIjKl"),
                result("call_1"),
                calling("call_2", "dnEN4JsJy"),
                result("call_2"),
                calling("call_3", null),
                result("call_3"));
        assertThat(text(body, "/messages/1/tool_calls/0/id"))
                .matches("[A-Za-z0-9]{9}")
                .isEqualTo(text(body, "/messages/2/tool_call_id"))
                .isNotEqualTo(text(body, "/messages/5/tool_calls/0/id"));
        assertThat(text(body, "/messages/3/tool_calls/0/id")).isEqualTo("dnEN4JsJy");
        assertThat(text(body, "/messages/4/tool_call_id")).isEqualTo("dnEN4JsJy");
        assertThat(text(body, "/messages/6/tool_call_id")).matches("[A-Za-z0-9]{9}");
    }

    @Test
    void mistralHearsSomethingBetweenAResultAndTheUser() throws InterruptedException {
        Json body = sent("mistral/m", Message.user("Hi"), calling("c", null), result("c"), Message.user("Stop"));
        assertThat(roles(body)).isEqualTo("user assistant tool assistant user");
        assertThat(text(body, "/messages/3/content")).isNotEmpty();

        body = sent("mistral/m", Message.user("Hi"), calling("c", null), result("c"), NOTE);
        assertThat(roles(body)).isEqualTo("user assistant tool assistant user");
        assertThat(text(body, "/messages/4/content")).isEqualTo(NOTED);
    }

    @ParameterizedTest
    @CsvSource({"perplexity/sonar", "mistral/m", "vllm/qwen3", "deepseek/v4", "openrouter/x/y"})
    void instructionsAreAtTheStartAndUsersAreNotTwoInARow(String name) throws InterruptedException {
        Json body = sent(
                name,
                Message.system("Be kind."),
                Message.system("Be brief."),
                Message.user("Hi"),
                Message.user("there"),
                Message.assistant(""),
                NOTE,
                Message.assistant("Hello"),
                NOTE);
        assertThat(roles(body)).isEqualTo("system user assistant user");
        assertThat(text(body, "/messages/0/content")).isEqualTo("Be kind.\n\nBe brief.");
        assertThat(text(body, "/messages/1/content")).isEqualTo("Hi\n\nthere\n\n" + NOTED);
        assertThat(text(body, "/messages/3/content")).isEqualTo(NOTED);
    }

    @Test
    void aConversationWithoutItsStartBeginsWithTheUserToo() throws InterruptedException {
        assertThat(roles(sent("vllm/m", Message.system("Be kind."), Message.assistant("In Rome."), Message.user("?"))))
                .isEqualTo("system user assistant user");
        assertThat(roles(sent("vllm/m", Message.system("Be kind.")))).isEqualTo("system user");
    }

    @Test
    void answersInARowAreOne() throws InterruptedException {
        Json body = sent(
                "deepseek/m",
                Message.user("Hi"),
                Message.of(Role.ASSISTANT, new Part.Reasoning("At first."), new Part.Text("Draft")),
                calling("c", "c1", new Part.Reasoning("I should look."), new Part.Text("Final")),
                result("c"),
                Message.assistant("Seen"));
        assertThat(roles(body)).isEqualTo("user assistant tool assistant");
        assertThat(text(body, "/messages/1/content")).isEqualTo("Draft\n\nFinal");
        assertThat(text(body, "/messages/1/reasoning_content")).isEqualTo("I should look.");
        assertThat(text(body, "/messages/1/tool_calls/0/id")).isEqualTo("c1");
    }

    @ParameterizedTest
    @CsvSource({"openai/m", "groq/qwen", "together/llama", "ollama/qwen3"})
    void othersGetTheMessagesInTheirOrder(String name) throws InterruptedException {
        Json body =
                sent(name, Message.user("Hi"), Message.user("there"), Message.assistant(" "), NOTE, Message.user("?"));
        assertThat(roles(body)).isEqualTo("user user system user");
    }

    /** Moonshot takes an empty reasoning for none. */
    @ParameterizedTest
    @CsvSource({"deepseek/deepseek-v4-pro, ''", "moonshot/kimi-k2.6, ' '"})
    void callsGoBackWithTheirReasoning(String name, String none) throws InterruptedException {
        ModelResponse answer = ask(
                name,
                Reply.toolCalls(Reply.call("c1", "look", "{}")).reasoning("I should ", "look."),
                Message.user("Hi"));
        Json body = sent(
                name,
                Message.user("Hi"),
                calling("c", "c1", new Part.Reasoning(answer.reasoning(), answer.providerState())),
                result("c"),
                Message.of(Role.ASSISTANT, new Part.Reasoning("Seen."), new Part.Text("It is there.")),
                Message.user("And?"),
                calling("d", "d1"),
                result("d"),
                calling("e", "e1", new Part.Reasoning("of another", "{\"anthropic\":[]}")),
                result("e"));
        assertThat(text(body, "/messages/1/reasoning_content")).isEqualTo("I should look.");
        assertThat(text(body, "/messages/3/reasoning_content")).isEqualTo("Seen.");
        assertThat(text(body, "/messages/5/reasoning_content")).isEqualTo(none);
        assertThat(text(body, "/messages/7/reasoning_content")).isEqualTo(none);
        assertThat(body.at("/messages/0/reasoning_content")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai/m", "groq/m", "mistral/m", "xai/m", "vllm/m"})
    void reasoningGoesBackToNoOtherService(String name) throws InterruptedException {
        Json body = sent(name, Message.user("Hi"), calling("c", "c1", new Part.Reasoning("secretly")), result("c"));
        assertThat(body.text()).doesNotContain("secretly").doesNotContain("reasoning");
    }

    @Test
    void openRouterGetsTheReasoningOfItsServicesBack() throws InterruptedException {
        String name = "openrouter/google/gemini-3-pro";
        ModelResponse answer = ask(
                name,
                Reply.sse()
                        .delta(
                                "{\"content\":\"\",\"reasoning\":\"I should\",\"reasoning_details\":[{\"type\":"
                                        + "\"reasoning.text\",\"text\":\"I should\",\"format\":\"google-gemini-v1\",\"index\":0}]}")
                        .delta(
                                "{\"content\":\"\",\"reasoning\":\" look.\",\"reasoning_details\":[{\"type\":"
                                        + "\"reasoning.text\",\"text\":\" look.\",\"format\":\"google-gemini-v1\",\"index\":0}]}")
                        .delta(
                                "{\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":null,\"signature\":\"c2ln\","
                                        + "\"index\":0}]}")
                        .delta("{\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\","
                                + "\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}],\"reasoning_details\":["
                                + "{\"type\":\"reasoning.encrypted\",\"data\":\"b25l\",\"id\":\"c1\",\"index\":0},"
                                + "{\"type\":\"reasoning.encrypted\",\"data\":\"dHdv\",\"id\":\"c2\",\"index\":0}]}")
                        .finish("tool_calls")
                        .done(),
                Message.user("Hi"));
        assertThat(answer.reasoning()).isEqualTo("I should look.");

        Message said = calling("c", "c1", new Part.Reasoning(answer.reasoning(), answer.providerState()));
        Json body = sent(name, Message.user("Hi"), said, result("c"));
        assertThat(body.at("/messages/1/reasoning_details").orElseThrow().canonical())
                .isEqualTo(Json.parse("[{\"type\":\"reasoning.text\",\"text\":\"I should look.\",\"format\":"
                                + "\"google-gemini-v1\",\"index\":0,\"signature\":\"c2ln\"},{\"type\":\"reasoning.encrypted\","
                                + "\"data\":\"b25l\",\"id\":\"c1\",\"index\":0},{\"type\":\"reasoning.encrypted\",\"data\":"
                                + "\"dHdv\",\"id\":\"c2\",\"index\":0}]")
                        .canonical());

        Json other = sent("openrouter/anthropic/claude", Message.user("Hi"), said, result("c"));
        assertThat(other.text()).doesNotContain("reasoning_details");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "openai/m|none|/reasoning_effort|none",
                "deepseek/m|high|/reasoning_effort|high",
                "deepseek/m|none|/thinking/type|disabled",
                "deepseek/m|none|/reasoning_effort|nothing",
                "moonshot/m|none|/thinking/type|disabled",
                "moonshot/m|high|/thinking/type|enabled",
                "moonshot/m|high|/reasoning_effort|nothing",
                "openrouter/m|high|/reasoning/effort|high",
                "openrouter/m|none|/reasoning/effort|none",
                "openrouter/m|2000|/reasoning/max_tokens|2000",
                "openrouter/m|high|/reasoning_effort|nothing",
            })
    void anEffortIsInTheFormOfTheService(String name, String effort, String pointer, String value)
            throws InterruptedException {
        settings = settings.reasoningEffort(effort);
        assertThat(text(sent(name, Message.user("Hi")), pointer)).isEqualTo(value);
    }

    /** Chat completions reject tools of later models unless they are set not to reason, which they do unasked. */
    @ParameterizedTest
    @CsvSource({
        "openai/gpt-5.6-terra, true, none", "openai/gpt-5.4, true, none", "openai/gpt-6, true, none",
        "openai/gpt-5.6-terra, false, nothing", "openai/gpt-5-mini, true, nothing", "openai/gpt-5.1, true, nothing",
        "openai/gpt-4.1, true, nothing", "openai/gpt-5.5-chat-latest, true, nothing", "groq/gpt-5.6, true, nothing"
    })
    void laterModelsOfOpenAiTakeToolsWithoutReasoningOnly(String name, boolean hasTools, String effort)
            throws InterruptedException {
        JsonSchema schema = JsonSchema.of(Json.parse("{\"type\":\"object\",\"properties\":{}}"));
        tools = hasTools ? List.of(new ToolDefinition("look", "Looks.", schema)) : List.of();
        assertThat(text(sent(name, Message.user("Hi")), "/reasoning_effort")).isEqualTo(effort);
        settings = settings.reasoningEffort("low");
        assertThat(text(sent(name, Message.user("Hi")), "/reasoning_effort")).isEqualTo("low");
    }

    /** OpenAI rejects an object without properties, and one that is put together; DeepSeek a schema without a type. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"object\"}|{\"type\":\"object\",\"properties\":{}}",
                "{}|{\"type\":\"object\",\"properties\":{}}",
                "{\"type\":\"object\",\"properties\":{\"a\":{}},\"anyOf\":[{\"required\":[\"a\"]}]}"
                        + "|{\"type\":\"object\",\"properties\":{\"a\":{}}}",
                "{\"oneOf\":[{\"properties\":{\"a\":{}}},{\"properties\":{\"b\":{}}}]}"
                        + "|{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}",
                "{\"properties\":{\"a\":{}}}|{\"type\":\"object\",\"properties\":{\"a\":{}}}",
                "{\"type\":\"object\",\"properties\":{\"a\":{}}}|{\"type\":\"object\",\"properties\":{\"a\":{}}}",
            })
    void theSchemaOfAToolIsThatOfAnObject(String schema, String sent) throws InterruptedException {
        tools = List.of(new ToolDefinition("look", "Looks.", JsonSchema.of(Json.parse(schema))));
        assertThat(text(sent("openai/m", Message.user("Hi")), "/tools/0/function/parameters"))
                .isEqualTo(sent);
    }
}
