package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import org.junit.jupiter.api.Test;

class OfflineModelTest {

    @Test
    void itIsCalledOfflineAndKeepsNoSecrets() {
        assertThat(new OfflineModel().name()).isEqualTo("offline");
        assertThat(new OfflineModel().secrets()).isEmpty();
    }

    @Test
    void everyAnswerEndsWithWhatItIs() throws Exception {
        assertThat(Asked.ask("Hello").says()).endsWith("\n\n" + OfflineModel.NOTICE);
        assertThat(Asked.ask("").says()).endsWith(OfflineModel.NOTICE);
        assertThat(Asked.ask("apples")
                        .searchTool()
                        .failed("search-files", "broken")
                        .says())
                .endsWith(OfflineModel.NOTICE);
        assertThat(Asked.ask("apples")
                        .subAgent("a", "x")
                        .failed("agent-a", "broken")
                        .says())
                .endsWith(OfflineModel.NOTICE);
    }

    @Test
    void textComesInSeveralDeltasThatAreTheAnswer() throws Exception {
        Asked asked = Asked.ask("apples").searchTool().gave("search-files", "Apples ".repeat(40) + "are red.");

        String text = asked.says();

        StringBuilder streamed = new StringBuilder();
        asked.deltas.forEach(delta -> streamed.append(((ModelDelta.Text) delta).text()));
        assertThat(streamed).hasToString(text);
        assertThat(asked.deltas).hasSizeGreaterThan(3);
    }

    @Test
    void aCallIsStreamedAndFinishesForTheCall() throws Exception {
        Asked asked = Asked.ask("Which apples?").searchTool();

        ModelResponse answer = asked.answer();

        assertThat(answer.finish()).isEqualTo(FinishReason.TOOL_CALLS);
        assertThat(answer.text()).isEmpty();
        assertThat(asked.deltas)
                .containsExactly(
                        new ModelDelta.ToolCallStart(0, "search-files"),
                        new ModelDelta.ToolCallArguments(0, "{\"query\":\"apples\"}"),
                        new ModelDelta.ToolCallEnd(0));
    }

    @Test
    void anAnswerFinishesWithStopAndBothKindsOfTokens() throws Exception {
        ModelResponse answer = Asked.ask("x".repeat(400)).answer();

        assertThat(answer.finish()).isEqualTo(FinishReason.STOP);
        assertThat(answer.usage().inputTokens()).isBetween(100L, 110L);
        assertThat(answer.usage().outputTokens()).isEqualTo((answer.text().length() + 3) / 4);
    }

    @Test
    void theSameRequestGetsTheSameAnswer() throws Exception {
        Asked asked = Asked.ask("apples and pears").searchTool();

        assertThat(asked.answer()).isEqualTo(asked.answer());
    }

    @Test
    void otherToolsAreLeftAlone() throws Exception {
        Asked asked = Asked.ask("Delete the apples")
                .tool("delete-row", "Deletes a row.", """
                        {"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}""")
                .tool("search-and-pay", "Finds and pays.", """
                        {"type":"object","properties":{"query":{"type":"string"},"amount":{"type":"number"}},
                         "required":["query","amount"]}""")
                .tool("find-by-id", "Finds a row.", """
                        {"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}""");

        assertThat(asked.answer().toolCalls()).isEmpty();
    }

    @Test
    void anInterruptIsCancellation() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Asked.ask("apples").answer()).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
