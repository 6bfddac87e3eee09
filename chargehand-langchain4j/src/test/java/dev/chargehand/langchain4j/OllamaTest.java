package dev.chargehand.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.model.WireAnswer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only Ollama does. */
class OllamaTest {

    @AutoClose
    private Asked asked = new Asked(ModelWire.ollama(), "ollama/qwen3");

    @Test
    void callsOfOneLineStayApartThoughNothingNumbersThem() throws InterruptedException {
        ModelResponse answer = asked.answer(
                "{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"look\",\"arguments\":{\"at\":1}}},"
                        + "{\"function\":{\"name\":\"look\",\"arguments\":{\"at\":2}}}]}}\n",
                "{\"message\":{},\"done\":true,\"done_reason\":\"stop\"}\n");
        assertThat(answer.toolCalls())
                .extracting(ModelResponse.RequestedCall::arguments)
                .containsExactly("{\"at\":1}", "{\"at\":2}");
        assertThat(answer.finish()).isEqualTo(FinishReason.TOOL_CALLS);
    }

    @Test
    void anOlderServerThatOnlySaysItIsDoneIsDone() throws InterruptedException {
        assertThat(asked.answer("{\"message\":{\"content\":\"ok\"},\"done\":true}\n")
                        .finish())
                .isEqualTo(FinishReason.STOP);
    }

    @Test
    void anErrorInAnswersPlaceIsOneAndItsWordsStayApart() {
        ModelException e = catchThrowableOfType(
                ModelException.class, () -> asked.answer("{\"error\":\"model runner has crashed: Dear diary\"}\n"));
        assertThat(e.kind()).isEqualTo(ModelException.Kind.OVERLOADED);
        assertThat(e.providerMessage()).contains("model runner has crashed: Dear diary");
        assertThat(e.publicMessage()).doesNotContain("diary");
    }

    @ParameterizedTest
    @CsvSource({"qwen3, high, true", "qwen3, none, false", "gpt-oss:20b, high, high"})
    void anEffortSwitchesThinkingOnOrSaysHowMuch(String model, String effort, String think)
            throws InterruptedException {
        asked.close();
        asked = new Asked(ModelWire.ollama(), "ollama/" + model);
        asked.effort(effort).ask(asked.wire.reply(WireAnswer.text("ok")));
        assertThat(asked.sent("/think").replace("\"", "")).isEqualTo(think);
    }
}
