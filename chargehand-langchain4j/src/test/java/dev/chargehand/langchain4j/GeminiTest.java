package dev.chargehand.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.model.WireAnswer;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only Gemini does. */
class GeminiTest {

    @AutoClose
    private Asked asked = new Asked(ModelWire.gemini(), "gemini/gemini-3-pro");

    private static String event(String parts, String more) {
        return "data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[" + parts + "]}" + more + "}]}\n\n";
    }

    @Test
    void piecesOfOneEventAreNotJoinedByAnything() throws InterruptedException {
        ModelResponse answer = asked.answer(event(
                "{\"text\":\"hm\",\"thought\":true},{\"text\":\"m\",\"thought\":true},{\"text\":\"One\"},{\"text\":\"two\"}",
                ",\"finishReason\":\"STOP\""));
        assertThat(answer.text()).isEqualTo("Onetwo");
        assertThat(answer.reasoning()).isEqualTo("hmm");
    }

    @Test
    void aPromptThatIsBlockedIsAnAnswerThatWasWithheld() throws InterruptedException {
        ModelResponse answer = asked.answer("data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"},"
                + "\"usageMetadata\":{\"promptTokenCount\":7}}\n\n");
        assertThat(answer.finish()).isEqualTo(FinishReason.CONTENT_FILTER);
        assertThat(answer.usage().inputTokens()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"})
    void aCallThatGoogleCouldNotReadMayBeReadableNextTime(String reason) {
        ModelException e = catchThrowableOfType(
                ModelException.class,
                () -> asked.answer("data: {\"candidates\":[{\"content\":{},\"finishReason\":\"" + reason
                        + "\",\"finishMessage\":\"Malformed: print(look())\"}]}\n\n"));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.PROTOCOL);
        assertThat(e.retryable()).isTrue();
        assertThat(e).hasMessageContaining(reason);
        assertThat(e.providerMessage()).contains("Malformed: print(look())");
    }

    /** Google has no header for it. */
    @Test
    void theWaitThatGoogleAsksForIsKept() {
        String error = "{\"error\":{\"code\":429,\"message\":\"Quota\",\"status\":\"RESOURCE_EXHAUSTED\",\"details\":["
                + "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"34s\"}]}}";
        for (WireReply reply : List.of(
                Reply.status(429).body(error),
                asked.wire.reply(List.of(("data: " + error + "\n\n").getBytes(StandardCharsets.UTF_8))))) {
            ModelException e = catchThrowableOfType(ModelException.class, () -> asked.ask(reply));
            assertThat(e.kind()).isEqualTo(ModelException.Kind.RATE_LIMIT);
            assertThat(e.retryAfter()).contains(Duration.ofSeconds(34));
        }
    }

    @Test
    void aWrongKeyIsOneAlthoughGoogleCallsItABadRequest() {
        ModelException e = catchThrowableOfType(
                ModelException.class,
                () -> asked.ask(Reply.status(400)
                        .body(
                                "{\"error\":{\"code\":400,\"message\":\"API key not valid.\",\"status\":\"INVALID_ARGUMENT\","
                                        + "\"details\":[{\"@type\":\"x\",\"reason\":\"API_KEY_INVALID\"}]}}")));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.AUTHENTICATION);
        assertThat(e).hasMessageContaining("check the key given for provider 'gemini'");
    }

    /** Google wants a call right after the user's words or results. */
    @Test
    void anAnswerBeforeACallIsPartOfItsMessage() throws InterruptedException {
        ModelResponse answer = asked.answer(event(
                "{\"functionCall\":{\"name\":\"look\",\"args\":{}},\"thoughtSignature\":\"Zmlyc3Q=\"}",
                ",\"finishReason\":\"STOP\""));

        asked.saying(Message.assistant("Draft."))
                .goingOnWith(answer)
                .saying(Message.assistant("Seen."), Message.assistant("Twice."), Message.user("And?"))
                .ask(asked.wire.reply(WireAnswer.text("ok")));

        assertThat(asked.sent("/contents/1/parts/0/text")).isEqualTo("\"Draft.\"");
        assertThat(asked.sent("/contents/1/parts/1/functionCall/name")).isEqualTo("\"look\"");
        assertThat(asked.sent("/contents/1/parts/1/thoughtSignature")).isEqualTo("\"Zmlyc3Q=\"");
        assertThat(asked.sent("/contents/2/parts/0/functionResponse/name")).isEqualTo("\"look\"");
        assertThat(asked.sent("/contents/3/parts/1/text")).isEqualTo("\"Twice.\"");
        assertThat(asked.sent("/contents/4/role")).isEqualTo("\"user\"");
    }

    @Test
    void eachSignatureGoesBackToItsPart() throws InterruptedException {
        ModelResponse answer = asked.answer(
                event("{\"text\":\"I look.\",\"thoughtSignature\":\"dGV4dA==\"}", ""),
                event("{\"functionCall\":{\"name\":\"look\",\"args\":{}},\"thoughtSignature\":\"Zmlyc3Q=\"}", ""),
                event("{\"functionCall\":{\"name\":\"look\",\"args\":{}}}", ",\"finishReason\":\"STOP\""));

        asked.goingOnWith(answer).ask(asked.wire.reply(WireAnswer.text("ok")));

        assertThat(asked.sent("/contents/1/parts/0/thoughtSignature")).isEqualTo("\"dGV4dA==\"");
        assertThat(asked.sent("/contents/1/parts/1/thoughtSignature")).isEqualTo("\"Zmlyc3Q=\"");
        assertThat(asked.sent("/contents/1/parts/2/thoughtSignature")).isEqualTo("nothing");
        assertThat(asked.sent("/contents/2/parts/1/functionResponse/name")).isEqualTo("\"look\"");
    }

    @ParameterizedTest
    @CsvSource({"gemini-3-pro, skip_thought_signature_validator", "gemini-2.5-flash, nothing"})
    void callsThatAnotherModelMadeAreSentAsSuchWhereSignaturesAreDemanded(String model, String signature)
            throws InterruptedException {
        asked.close();
        asked = new Asked(ModelWire.gemini(), "gemini/" + model);
        ModelResponse answer = asked.ask(asked.wire.reply(WireAnswer.calls(Reply.call("c", "look", "{}"))));

        asked.goingOnWith(answer).ask(asked.wire.reply(WireAnswer.text("ok")));

        assertThat(asked.sent("/contents/1/parts/0/thoughtSignature").replace("\"", ""))
                .isEqualTo(signature);
    }

    @ParameterizedTest
    @CsvSource({
        "gemini-2.5-flash, medium, thinkingBudget, 8192", "gemini-2.5-flash, none, thinkingBudget, 0",
        "gemini-2.5-pro, 4000, thinkingBudget, 4000", "gemini-3-pro, low, thinkingLevel, low",
        "gemini-3-pro, none, thinkingLevel, low"
    })
    void anEffortIsABudgetWhereAModelTakesOneAndALevelElsewhere(String model, String effort, String field, String value)
            throws InterruptedException {
        asked.close();
        asked = new Asked(ModelWire.gemini(), "gemini/" + model);
        asked.effort(effort).ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/generationConfig/thinkingConfig/" + field).replace("\"", ""))
                .isEqualTo(value);
    }
}
