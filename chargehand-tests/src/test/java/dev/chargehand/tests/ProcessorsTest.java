package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.Processor;
import dev.chargehand.processor.ProcessorContext;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What processors rewrite and what they keep out, at each of the five places. */
class ProcessorsTest {

    /** A processor of every place, which does the same at each. */
    private static final class Everywhere
            implements InputProcessor,
                    InputStepProcessor,
                    OutputStreamProcessor,
                    OutputStepProcessor,
                    OutputResultProcessor {

        private final ProcessorPhase only;
        private final UnaryOperator<String> rewrite;
        private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

        private Everywhere(ProcessorPhase only, UnaryOperator<String> rewrite) {
            this.only = only;
            this.rewrite = rewrite;
        }

        @Override
        public String name() {
            return "everywhere";
        }

        private Processed<String> said(ProcessorPhase phase, String text) {
            asked.add(phase.key() + " " + text);
            if (phase != only) {
                return Processed.unchanged();
            }
            String other = rewrite.apply(text);
            return other.equals("ABORT")
                    ? Processed.<String>abort("Not this.").withMetadata(Json.parse("{\"rule\":7}"))
                    : Processed.rewritten(other);
        }

        private <T> Processed<T> as(Processed<String> said, java.util.function.Function<String, T> made) {
            return switch (said) {
                case Processed.Unchanged<String> ignored -> Processed.unchanged();
                case Processed.Rewritten<String> other -> Processed.rewritten(made.apply(other.value()));
                case Processed.Aborted<String> aborted ->
                    new Processed.Aborted<>(aborted.reason(), aborted.retry(), aborted.metadata());
            };
        }

        @Override
        public Processed<List<Message>> processInput(ProcessorContext context, List<Message> messages) {
            return as(said(ProcessorPhase.INPUT, messages.getFirst().text()), text -> List.of(Message.user(text)));
        }

        @Override
        public Processed<List<Message>> processInputStep(ProcessorContext context, List<Message> messages) {
            return as(said(ProcessorPhase.INPUT_STEP, messages.getLast().text()), text -> List.of(Message.user(text)));
        }

        @Override
        public dev.chargehand.processor.TextProcessor processOutputStream(ProcessorContext context) {
            return delta -> said(ProcessorPhase.OUTPUT_STREAM, delta);
        }

        @Override
        public Processed<ModelResponse> processOutputStep(ProcessorContext context, ModelResponse answer) {
            return as(
                    said(ProcessorPhase.OUTPUT_STEP, answer.text()),
                    text -> new ModelResponse(
                            text, answer.reasoning(), answer.toolCalls(), answer.finish(), answer.usage()));
        }

        @Override
        public Processed<String> processOutputResult(ProcessorContext context, String text) {
            return said(ProcessorPhase.OUTPUT_RESULT, text);
        }
    }

    private static Script answer() {
        return Scripts.on("solo").streams("A dirty ", "answer.");
    }

    private static String told(List<RunEvent> events) {
        StringBuilder told = new StringBuilder();
        for (RunEvent event : events) {
            if (event instanceof RunEvent.TextDelta delta) {
                told.append(delta.text());
            }
        }
        return told.toString();
    }

    private static Consumer<RunOptions.Builder> both(Processor processor) {
        return o -> o.inputProcessors(processor)
                .outputProcessors(processor)
                .thread("t")
                .resource("u");
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void whatPassesIsWhatIsSentToldAndStored(ProcessorPhase where) {
        List<String> stored = new ArrayList<>();
        List<Everywhere> made = new ArrayList<>();
        UnaryOperator<String> clean =
                text -> text.replace("task", "work").replace("dirty", "clean").replace("answer", "reply");
        Ran ran = Both.ways(ProcessorsTest::answer)
                .options(o -> {
                    Everywhere everywhere = new Everywhere(where, clean);
                    made.add(everywhere);
                    both(everywhere).accept(o);
                })
                .after(test -> stored.addAll(Wire.thread(test)))
                .run();
        boolean input = where == ProcessorPhase.INPUT;
        boolean asked = input || where == ProcessorPhase.INPUT_STEP;
        boolean told = where == ProcessorPhase.OUTPUT_STREAM || where == ProcessorPhase.OUTPUT_STEP;
        boolean result = told || where == ProcessorPhase.OUTPUT_RESULT;
        assertThat(ran.request("solo", 1)).containsExactly(asked ? "user: Do the work" : "user: Do the task");
        assertThat(told(ran.events())).isEqualTo(told ? "A clean reply." : "A dirty answer.");
        assertThat(ran.result().text()).isEqualTo(result ? "A clean reply." : "A dirty answer.");
        assertThat(ran.result().steps().getLast().text()).isEqualTo(ran.result().text());
        assertThat(Both.alike(stored))
                .containsExactly(
                        input ? "user: Do the work" : "user: Do the task",
                        "assistant: " + ran.result().text());
        assertThat(made.getFirst().asked).isEqualTo(made.getLast().asked);
        if (where != ProcessorPhase.OUTPUT_RESULT) {
            assertThat(ran.facts().toString()).doesNotContain(input ? "Do the task" : told ? "dirty" : "Do the work");
        }
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void aTripwireEndsTheRunAndLeavesNothingOfWhatItKeptOut(ProcessorPhase where) {
        List<String> stored = new ArrayList<>();
        Ran ran = Both.ways(ProcessorsTest::answer)
                .options(o -> both(new Everywhere(where, text -> "ABORT")).accept(o))
                .after(test -> stored.addAll(Wire.thread(test)))
                .run();
        Json rule = Json.parse("{\"rule\":7}");
        StopReason.Tripwire trip = new StopReason.Tripwire("everywhere", where, "Not this.", rule);
        assertThat(ran.result().stopReason()).isEqualTo(trip);
        assertThat(ran.result().text()).isEmpty();
        assertThat(ran.result().steps()).noneMatch(step -> step.text().contains("dirty"));
        assertThat(Both.alike(stored))
                .isEqualTo(where == ProcessorPhase.INPUT ? List.of() : List.of("user: Do the task"));
        assertThat(ran.all(RunEvent.Tripwire.class)).singleElement().satisfies(event -> assertThat(
                        event.toJson().text())
                .contains("\"type\":\"tripwire\"")
                .contains("\"phase\":\"" + where.key() + "\"")
                .contains("\"retry\":false")
                .contains("\"rule\":7"));
        boolean asked = where != ProcessorPhase.INPUT && where != ProcessorPhase.INPUT_STEP;
        assertThat(ran.script().requests()).hasSize(asked ? 1 : 0);
        if (where != ProcessorPhase.OUTPUT_RESULT) {
            assertThat(told(ran.events())).isEmpty();
            assertThat(ran.facts().toString()).doesNotContain(where == ProcessorPhase.INPUT ? "Do the task" : "dirty");
        }
        assertThat(ran.result().totalUsage().totalTokens())
                .isEqualTo(
                        where == ProcessorPhase.OUTPUT_STEP || where == ProcessorPhase.OUTPUT_RESULT
                                ? 15
                                : ran.result().totalUsage().totalTokens());
    }

    static Stream<ProcessorPhase> answers() {
        return Stream.of(ProcessorPhase.OUTPUT_STREAM, ProcessorPhase.OUTPUT_STEP, ProcessorPhase.OUTPUT_RESULT);
    }
}
