package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.message.Part;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.ProcessorContext;
import dev.chargehand.processor.Redaction;
import dev.chargehand.processor.TextProcessor;
import dev.chargehand.processor.UnicodeNormalizer;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a provider wants back with an answer, such as signatures of its reasoning, when processors look at the answer. */
class ProviderStateTest {

    private static final Usage USED = new Usage(10, 5, 2, 1);

    /** Replaces one word by another in every text that arrives. */
    private record Rewriting(String from, String to) implements OutputStreamProcessor {

        @Override
        public String name() {
            return "rewriting";
        }

        @Override
        public TextProcessor processOutputStream(ProcessorContext context) {
            return delta -> delta.contains(from) ? Processed.rewritten(delta.replace(from, to)) : Processed.unchanged();
        }
    }

    /** Makes another answer of the answer, as a user does who knows of no state. */
    private record Remaking(String text, String reasoning) implements OutputStepProcessor {

        @Override
        public String name() {
            return "remaking";
        }

        @Override
        public Processed<ModelResponse> processOutputStep(ProcessorContext context, ModelResponse answer) {
            return answer.toolCalls().isEmpty()
                    ? Processed.unchanged()
                    : Processed.rewritten(
                            new ModelResponse(text, reasoning, answer.toolCalls(), answer.finish(), answer.usage()));
        }
    }

    private static Script script() {
        return Scripts.on(
                "solo",
                Turn.answers(request -> new ModelResponse(
                        "I look.",
                        "They want it.",
                        List.of(new RequestedCall("p", "ok", "{}")),
                        FinishReason.TOOL_CALLS,
                        USED,
                        "{\"signed\":1}")),
                Turn.says("Done"));
    }

    private static Ran run(Consumer<RunOptions.Builder> options) {
        Ran ran = Both.run(Crew.solo(Crew.OK), options, ProviderStateTest::script);
        assertThat(ran.result()).finished();
        assertThat(ran.result().steps().getFirst().usage()).isEqualTo(USED);
        return ran;
    }

    private static Part.Reasoning sentBack(Ran ran) {
        return ran.script().requestsOf("solo").get(1).messages().stream()
                .flatMap(message -> message.partsOf(Part.Reasoning.class).stream())
                .findFirst()
                .orElse(new Part.Reasoning("", null));
    }

    static Stream<Consumer<RunOptions.Builder>> whatLeavesTheReasoningAlone() {
        return Stream.of(
                o -> {},
                o -> o.outputProcessors(Redaction.all()),
                o -> o.outputProcessors(new Rewriting("absent", "x")),
                o -> o.outputProcessors(new Rewriting("look", "watch")),
                o -> o.outputProcessors(new Rewriting("look", "watch"), Redaction.all()),
                o -> o.outputProcessors(new Remaking("Other", "They want it.")),
                o -> o.inputProcessors(Redaction.of(Redaction.Kind.EMAIL).pattern("name", "look")),
                o -> o.inputProcessors(UnicodeNormalizer.nfkc()));
    }

    @ParameterizedTest
    @MethodSource
    void whatLeavesTheReasoningAlone(Consumer<RunOptions.Builder> options) {
        assertThat(sentBack(run(options))).isEqualTo(new Part.Reasoning("They want it.", "{\"signed\":1}"));
    }

    static Stream<Consumer<RunOptions.Builder>> whatChangesTheReasoning() {
        return Stream.of(
                o -> o.outputProcessors(new Rewriting("want", "need")),
                o -> o.outputProcessors(new Remaking("I look.", "They need it.")),
                o -> o.outputProcessors(new Rewriting("They want it.", "")));
    }

    @ParameterizedTest
    @MethodSource
    void whatChangesTheReasoning(Consumer<RunOptions.Builder> options) {
        assertThat(Optional.ofNullable(sentBack(run(options)).providerState())).isEmpty();
    }

    @Test
    void anAnswerWithOtherPartsKeepsTheRest() {
        ModelResponse answer = new ModelResponse("t", "r", List.of(), FinishReason.STOP, USED, "s");

        assertThat(answer.withText("u"))
                .isEqualTo(new ModelResponse("u", "r", List.of(), FinishReason.STOP, USED, "s"));
        assertThat(answer.withReasoning("r")).isEqualTo(answer);
        assertThat(answer.withReasoning("q"))
                .isEqualTo(new ModelResponse("t", "q", List.of(), FinishReason.STOP, USED));
        RequestedCall call = new RequestedCall(null, "ok", "{}");
        assertThat(answer.withToolCalls(List.of(call)))
                .isEqualTo(new ModelResponse("t", "r", List.of(call), FinishReason.STOP, USED, "s"));
    }
}
