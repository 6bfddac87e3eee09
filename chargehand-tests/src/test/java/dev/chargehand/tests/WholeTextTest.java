package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.Redaction;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.ToolFailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Surrogates without a partner become U+FFFD, everywhere; pairs stay pairs, however they arrive. */
class WholeTextTest {

    private static final char HIGH = '\ud83d';
    private static final char LOW = '\ude00';
    private static final String SMILE = "" + HIGH + LOW;

    static Stream<Consumer<RunOptions.Builder>> ways() {
        return Stream.of(o -> {}, o -> o.outputProcessors(Redaction.all()));
    }

    private static void assertEncodable(String text) {
        assertThat(text.chars().filter(c -> Character.isSurrogate((char) c)).count())
                .as("surrogates in " + text)
                .isEqualTo(2
                        * text.codePoints()
                                .filter(Character::isSupplementaryCodePoint)
                                .count());
    }

    private static List<String> deltas(Ran ran) {
        List<String> deltas = ran.events().stream()
                .filter(RunEvent.TextDelta.class::isInstance)
                .map(event -> ((RunEvent.TextDelta) event).text())
                .toList();
        deltas.forEach(WholeTextTest::assertEncodable);
        return deltas;
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aPairThatIsCutBetweenTwoDeltasStaysAPair(Consumer<RunOptions.Builder> options) {
        Ran ran = Both.run(
                Crew.solo(),
                options,
                Turn.reasons("r" + HIGH)
                        .and(Turn.reasons(LOW + "r"))
                        .and(Turn.streams("a" + HIGH, LOW + "b" + HIGH, "" + LOW, SMILE)));

        assertThat(ran.result().text()).isEqualTo("a" + SMILE + "b" + SMILE + SMILE);
        assertThat(String.join("", deltas(ran))).isEqualTo(ran.result().text());
        assertThat(ran.result().steps().getFirst().reasoning()).isEqualTo("r" + SMILE + "r");
    }

    @ParameterizedTest
    @MethodSource("ways")
    void halvesAreReplacedInDeltasResultMessagesAndThread(Consumer<RunOptions.Builder> options) {
        String wanted = "a\ufffdb\ufffd" + SMILE + "\ufffd";
        try (TestRuntime test =
                Crew.playing(Scripts.on("solo").streams("a" + HIGH, "b", LOW + SMILE, "" + HIGH), Crew.solo())) {
            var result = test.agent("solo").generate("x" + LOW, o -> {
                options.accept(o);
                o.thread("t").resource("u");
            });

            assertThat(result.text()).isEqualTo(wanted);
            assertThat(result.steps().getFirst().text()).isEqualTo(wanted);
            assertThat(result.messages().getLast().text()).isEqualTo(wanted);
            assertThat(test.thread("t", "u")).extracting(Message::text).containsExactly("x\ufffd", wanted);
            assertThat(test.events().stream()
                            .filter(RunEvent.TextDelta.class::isInstance)
                            .map(event -> ((RunEvent.TextDelta) event).text())
                            .peek(WholeTextTest::assertEncodable)
                            .collect(Collectors.joining()))
                    .isEqualTo(wanted);
            assertThat(test.events().stream()
                            .filter(RunEvent.RunFinish.class::isInstance)
                            .map(event -> ((RunEvent.RunFinish) event).text()))
                    .containsExactly(wanted);
        }
    }

    @Test
    void theAnswerOfAModelThatTellsNoDeltas() {
        ModelResponse answer = new ModelResponse("a" + HIGH, "b" + LOW, List.of(), FinishReason.STOP, Usage.NONE);
        assertThat(answer.text()).isEqualTo("a\ufffd");
        Ran ran = Both.run(Crew.solo(), Turn.answers(request -> answer));
        assertThat(ran.result().text()).isEqualTo("a\ufffd");
        assertThat(String.join("", deltas(ran))).isEqualTo("a\ufffd");
    }

    /** Answers with all at once, after it has said that there are no deltas. */
    private record Empty(ModelResponse answer) implements Model {

        @Override
        public String name() {
            return "empty";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            call.deltas(List.of());
            call.lastDeltas(List.of());
            return answer;
        }
    }

    @Test
    void theReasoningOfAModelThatReportsAnEmptyListOfDeltas() {
        ModelResponse answer = new ModelResponse("a", "b", List.of(), FinishReason.STOP, Usage.NONE);
        try (AgentRuntime runtime = AgentRuntime.builder().build();
                RunStream run = runtime
                        .bind(Agent.builder("solo").model(new Empty(answer)).build())
                        .stream("Hello")) {
            List<String> reasoning = new ArrayList<>();
            for (RunEvent event : run) {
                if (event instanceof RunEvent.ReasoningDelta delta) {
                    reasoning.add(delta.text());
                }
            }
            assertThat(reasoning).containsExactly("b");
        }
    }

    @Test
    void argumentsThatArriveInPieces() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                Turn.of(t -> t.callsRaw("ok", "{\"q\":\"" + SMILE + "\"}").inPiecesOf(1)),
                Turn.says("Done"));

        List<String> fragments = ran.events().stream()
                .filter(RunEvent.ToolCallDelta.class::isInstance)
                .map(event -> ((RunEvent.ToolCallDelta) event).fragment())
                .toList();
        fragments.forEach(WholeTextTest::assertEncodable);
        assertThat(String.join("", fragments)).isEqualTo("{\"q\":\"" + SMILE + "\"}");
    }

    @Test
    void whatAToolReturnsAndWhatItFailsWith() {
        for (Object returned :
                List.of("a" + HIGH, Map.of("k", "a" + HIGH), Json.parse("\"a\\ud83d\""), List.of("a" + HIGH))) {
            Ran ran = Both.run(
                    Crew.solo(Steps.tool("look", (in, context) -> returned)),
                    Turn.calls("look", "{}"),
                    Turn.says("Done"));
            Json output = ran.result().toolResults().getFirst().output().orElseThrow();
            assertEncodable(output.text());
            assertThat(output.string().orElse(output.text())).contains("a\ufffd");
            assertThat(ran.request("solo", 2).getLast()).contains("a\ufffd");
        }
        Ran failed = Both.run(
                Crew.solo(Steps.tool("look", (in, context) -> Steps.failing(new ToolFailureException("a" + HIGH)))),
                Turn.calls("look", "{}"),
                Turn.says("Done"));
        assertThat(failed.result().toolResults().getFirst().error()).contains("a\ufffd");
        assertThat(failed.result().messages().stream()
                        .flatMap(message -> message.toolResults().stream())
                        .map(Part.ToolResult::output))
                .containsExactly("a\ufffd");
    }
}
