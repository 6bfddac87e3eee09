package dev.chargehand.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.model.WireAnswer;
import dev.chargehand.testkit.provider.reply.Reply;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reasoning with Anthropic: how it is asked for, what is kept of it, and when it would be refused. */
class AnthropicReasoningTest {

    private static final String START =
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":1}}}\n\n";
    private static final String END = """
            event: message_delta
            data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}

            """;

    @AutoClose
    private Asked asked = new Asked(ModelWire.anthropic(), "anthropic/claude-opus-4-6");

    private void askWith(String model) {
        asked.close();
        asked = new Asked(ModelWire.anthropic(), "anthropic/" + model);
    }

    @ParameterizedTest
    @CsvSource({
        "claude-3-7-sonnet-latest, medium, enabled, 8192",
        "claude-sonnet-4-20250514, low, enabled, 2048",
        "claude-opus-4-1, high, enabled, 16384",
        "claude-sonnet-4-5-20250929, 5000, enabled, 5000",
        "claude-haiku-4-5, something-new, enabled, 8192",
        "claude-opus-4-6, high, adaptive, nothing",
        "claude-opus-5, max, adaptive, nothing"
    })
    void anEffortIsABudgetWhereAModelTakesOneAndAnEffortElsewhere(
            String model, String effort, String type, String budget) throws InterruptedException {
        askWith(model);
        asked.effort(effort).ask(asked.wire.reply(WireAnswer.text("ok")));

        assertThat(asked.sent("/thinking/type")).isEqualTo('"' + type + '"');
        assertThat(asked.sent("/thinking/budget_tokens")).isEqualTo(budget);
        assertThat(asked.sent("/output_config/effort"))
                .isEqualTo(type.equals("adaptive") ? '"' + effort + '"' : "nothing");
        assertThat(Long.parseLong(asked.sent("/max_tokens")))
                .isEqualTo(8192 + (budget.equals("nothing") ? 0 : Long.parseLong(budget)));
    }

    @Test
    void whatCannotGoWithReasoningIsLeftOut() throws InterruptedException {
        asked.settings(ModelSettings.DEFAULT.temperature(0.2).topP(0.9).reasoningEffort("high"))
                .ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/temperature")).isEqualTo("nothing");
        assertThat(asked.sent("/top_p")).isEqualTo("nothing");

        asked.choosing(ToolChoice.required()).ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/thinking")).isEqualTo("nothing");
        assertThat(asked.sent("/temperature")).isEqualTo("0.2");
    }

    @Test
    void withoutAnEffortNothingIsSaidAboutReasoning() throws InterruptedException {
        asked.ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/thinking")).isEqualTo("nothing");
        assertThat(asked.sent("/output_config")).isEqualTo("nothing");
    }

    @Test
    void everyBlockOfThinkingGoesBackWithItsOwnSignature() throws InterruptedException {
        ModelResponse answer = asked.answer(
                START,
                thinking(0, "First ", "c2ln", "MQ=="),
                block(1, "{\"type\":\"redacted_thinking\",\"data\":\"c2VjcmV0\"}"),
                thinking(2, "Second 😀", "c2lnMg==", ""),
                block(3, "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"look\",\"input\":{}}"),
                END);
        assertThat(answer.reasoning()).isEqualTo("First Second 😀");

        asked.effort("high").goingOnWith(answer).ask(asked.wire.reply(WireAnswer.text("ok")));

        assertThat(asked.sent("/messages/1/content/0"))
                .isEqualTo("{\"type\":\"thinking\",\"thinking\":\"First \",\"signature\":\"c2lnMQ==\"}");
        assertThat(asked.sent("/messages/1/content/1"))
                .isEqualTo("{\"type\":\"redacted_thinking\",\"data\":\"c2VjcmV0\"}");
        assertThat(asked.sent("/messages/1/content/2"))
                .isEqualTo("{\"type\":\"thinking\",\"thinking\":\"Second 😀\",\"signature\":\"c2lnMg==\"}");
        assertThat(asked.sent("/messages/1/content/3/type")).isEqualTo("\"tool_use\"");
        assertThat(asked.sent("/thinking/type")).isEqualTo("\"adaptive\"");
    }

    /** A signature holds only where it was: later models think between the calls of one answer, too. */
    @Test
    void thinkingGoesBackToItsPlaceAmongTextAndCalls() throws InterruptedException {
        ModelResponse answer = asked.answer(
                START,
                thinking(0, "First ", "MQ=="),
                block(1, "{\"type\":\"text\",\"text\":\"I look.\"}"),
                block(2, "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"look\",\"input\":{}}"),
                thinking(3, "Second", "Mg=="),
                block(4, "{\"type\":\"text\",\"text\":\"Again.\"}"),
                block(5, "{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"look\",\"input\":{}}"),
                block(6, "{\"type\":\"text\",\"text\":\"Done.\"}"),
                END);
        assertThat(answer.text()).isEqualTo("I look.Again.Done.");

        asked.effort("high").goingOnWith(answer).ask(asked.wire.reply(WireAnswer.text("ok")));

        String content = "/messages/1/content/";
        assertThat(asked.sent(content + "0/signature")).isEqualTo("\"MQ==\"");
        assertThat(asked.sent(content + "1/text")).isEqualTo("\"I look.\"");
        assertThat(asked.sent(content + "2/id")).isEqualTo("\"t1\"");
        assertThat(asked.sent(content + "3/signature")).isEqualTo("\"Mg==\"");
        assertThat(asked.sent(content + "4/text")).isEqualTo("\"Again.\"");
        assertThat(asked.sent(content + "5/id")).isEqualTo("\"t2\"");
        assertThat(asked.sent(content + "6/text")).isEqualTo("\"Done.\"");
        assertThat(asked.sent(content + "7")).isEqualTo("nothing");
    }

    @Test
    void thinkingStaysInFrontIfTheAnswerWasChanged() throws InterruptedException {
        ModelResponse answer = asked.answer(
                START,
                block(0, "{\"type\":\"text\",\"text\":\"I look.\"}"),
                thinking(1, "First", "MQ=="),
                block(2, "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"look\",\"input\":{}}"),
                END);

        asked.effort("high").goingOnWith(answer.withText("Another.")).ask(asked.wire.reply(WireAnswer.text("ok")));

        assertThat(asked.sent("/messages/1/content/0/signature")).isEqualTo("\"MQ==\"");
        assertThat(asked.sent("/messages/1/content/1/text")).isEqualTo("\"Another.\"");
        assertThat(asked.sent("/messages/1/content/2/id")).isEqualTo("\"t1\"");
    }

    /** One tool with another root makes Anthropic reject the request, whichever is called. */
    @Test
    void theSchemaOfAToolIsNotPutTogetherAtItsRoot() throws InterruptedException {
        String schema =
                "{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{}]}},\"anyOf\":[{\"required\":[\"a\"]}]}";
        asked.tool(new ToolDefinition("look", "Looks.", JsonSchema.of(Json.parse(schema))))
                .ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/tools/0/input_schema"))
                .isEqualTo("{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{}]}}}");
    }

    /** They were removed with Opus 4.7, also without reasoning. */
    @ParameterizedTest
    @CsvSource({
        "claude-opus-4-6, 0.2",
        "claude-sonnet-4-6, 0.2",
        "claude-haiku-4-5-20251001, 0.2",
        "claude-3-7-sonnet-latest, 0.2",
        "claude-opus-4-7, nothing",
        "claude-opus-4-8, nothing",
        "claude-fable-5, nothing"
    })
    void modelsWithoutATemperatureGetNone(String model, String temperature) throws InterruptedException {
        askWith(model);
        asked.settings(ModelSettings.DEFAULT.temperature(0.2)).ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/temperature")).isEqualTo(temperature);
    }

    @Test
    void callsThatWereMadeWithoutThinkingGoOnWithoutIt() throws InterruptedException {
        ModelResponse answer = asked.ask(asked.wire.reply(WireAnswer.calls(Reply.call("t1", "look", "{}"))));

        asked.effort("high").goingOnWith(answer).ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/thinking")).isEqualTo("nothing");

        asked.saying(Message.assistant("Well."), Message.user("And now?")).ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/thinking/type")).isEqualTo("\"adaptive\"");
    }

    private static String thinking(int index, String words, String... signature) {
        StringBuilder events = new StringBuilder(
                event("content_block_start", index, "content_block", "{\"type\":\"thinking\",\"thinking\":\"\"}"));
        events.append(event(
                "content_block_delta", index, "delta", "{\"type\":\"thinking_delta\",\"thinking\":\"" + words + "\"}"));
        for (String piece : signature) {
            events.append(event(
                    "content_block_delta",
                    index,
                    "delta",
                    "{\"type\":\"signature_delta\",\"signature\":\"" + piece + "\"}"));
        }
        return events + event("content_block_stop", index, "x", "0");
    }

    private static String block(int index, String json) {
        return event("content_block_start", index, "content_block", json)
                + event("content_block_stop", index, "x", "0");
    }

    private static String event(String type, int index, String field, String json) {
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\",\"index\":" + index + ",\"" + field + "\":" + json
                + "}\n\n";
    }
}
