package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.Processor;
import dev.chargehand.processor.TextProcessor;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows on a tripwire: another answer, the end of the run, and nothing that nobody let pass. */
class TripwireTest {

    private static final String REASON = "Not for everybody.";

    private static <T> Processed<T> unlessSecret(String text, boolean retry) {
        if (!text.contains("hushed")) {
            return Processed.unchanged();
        }
        Processed.Aborted<T> aborted = Processed.abort(REASON);
        return retry ? aborted.withRetry() : aborted;
    }

    private static OutputStreamProcessor stream(boolean retry) {
        return OutputStreamProcessor.of("guard", context -> {
            StringBuilder whole = new StringBuilder();
            return new TextProcessor() {
                @Override
                public Processed<String> next(String delta) {
                    whole.append(delta);
                    Processed<String> said = unlessSecret(whole.toString(), retry);
                    return said instanceof Processed.Aborted<String> ? said : Processed.rewritten("");
                }

                @Override
                public Processed<String> end() {
                    return Processed.rewritten(whole.toString());
                }
            };
        });
    }

    private static OutputStepProcessor step(boolean retry) {
        return OutputStepProcessor.of(
                "guard", (context, answer) -> unlessSecret(answer.text() + answer.toolCalls(), retry));
    }

    private static OutputResultProcessor result(boolean retry) {
        return OutputResultProcessor.of("guard", (context, text) -> unlessSecret(text, retry));
    }

    static Stream<Named<Processor>> retrying() {
        return Stream.of(
                Named.of("stream", stream(true)), Named.of("step", step(true)), Named.of("result", result(true)));
    }

    static Stream<Named<Processor>> ending() {
        return Stream.of(
                Named.of("stream", stream(false)), Named.of("step", step(false)), Named.of("result", result(false)));
    }

    private static Script twice(String first, String second) {
        return ScriptedModel.script()
                .on("solo")
                .streams("The hu", first)
                .then()
                .says(second)
                .then()
                .says("A third answer.");
    }

    private static List<String> thread(TestRuntime test) {
        return test.thread("t", "u").stream().map(Wire::line).toList();
    }

    @ParameterizedTest
    @MethodSource("retrying")
    void theModelIsToldWhyAndAnswersAgain(Processor processor) {
        List<String> stored = new ArrayList<>();
        Ran ran = Both.ways(() -> twice("shed.", "Fine."))
                .options(o -> o.outputProcessors(processor).thread("t").resource("u"))
                .after(test -> stored.addAll(thread(test)))
                .run();
        assertThat(ran.result()).finished().hasText("Fine.");
        assertThat(ran.script().requests()).hasSize(2);
        assertThat(ran.request("solo", 2))
                .hasSize(2)
                .last()
                .asString()
                .contains("'guard'")
                .contains(REASON);
        assertThat(ran.request("solo", 2).toString()).doesNotContain("hushed");
        assertThat(Both.alike(stored)).containsExactly("user: Do the task", "assistant: Fine.");
        assertThat(ran.result().messages()).hasSize(2);
        assertThat(ran.events())
                .filteredOn(RunEvent.Tripwire.class::isInstance)
                .singleElement()
                .satisfies(
                        event -> assertThat(((RunEvent.Tripwire) event).retry()).isTrue());
        if (!(processor instanceof OutputStreamProcessor)) {
            assertThat(ran.result().totalUsage().totalTokens()).isEqualTo(30);
        }
    }

    @ParameterizedTest
    @MethodSource("retrying")
    void aModelThatDoesNotLearnEndsTheRun(Processor processor) {
        Ran ran = Both.ways(() -> twice("shed.", "Still a hushed."))
                .options(o -> o.outputProcessors(processor))
                .run();
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        assertThat(ran.result().status()).isEqualTo(RunStatus.INCOMPLETE);
        assertThat(ran.result().text()).isEmpty();
        assertThat(ran.script().requests()).hasSize(2);
        assertThatEvents(ran.events()).areInOrder("tripwire", "tripwire", "step-finish", "run-finish");
    }

    @ParameterizedTest
    @MethodSource("retrying")
    void howOftenItMayAnswerAgainCanBeSet(Processor processor) {
        Ran none = Both.ways(() -> twice("shed.", "Fine."))
                .options(o -> o.outputProcessors(processor).maxProcessorRetries(0))
                .run();
        assertThat(none.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        assertThat(none.script().requests()).hasSize(1);
        Ran two = Both.ways(() -> twice("shed.", "Still a hushed."))
                .options(o -> o.outputProcessors(processor).maxProcessorRetries(2))
                .run();
        assertThat(two.result()).finished().hasText("A third answer.");
        assertThatThrownBy(() -> RunOptions.defaults().with(o -> o.maxProcessorRetries(-1)))
                .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void refusalsAreCountedOverTheWholeRun() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says("A hushed.")
                        .then()
                        .calls("ok", "{}")
                        .then()
                        .says("A hushed again."))
                .agent(Crew.solo(Crew.OK))
                .options(o -> o.outputProcessors(step(true)))
                .run();
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        assertThat(ran.request("solo", 3)).anyMatch(line -> line.contains(REASON));
    }

    @ParameterizedTest
    @MethodSource("ending")
    void noCallOfAnAnswerThatDoesNotPassIsExecuted(Processor processor) {
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        Tool tool = Steps.tool("act", (in, ctx) -> {
            done.add("act");
            return "done";
        });
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says("A hushed plan.")
                        .and()
                        .calls("act", "{}"))
                .agent(Crew.solo(tool))
                .options(o ->
                        o.outputProcessors(processor).maxSteps(1).thread("t").resource("u"))
                .run();
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        boolean before = !(processor instanceof OutputResultProcessor);
        assertThat(done).hasSize(before ? 0 : 2);
        if (before) {
            assertThat(ran.result().messages()).hasSize(1);
            assertThatEvents(ran.events()).doNotContain("tool-call");
        }
        assertThat(ran.result().messages().toString()).doesNotContain("hushed");
    }

    @Test
    void callsCanBeLookedAtAndTakenOut() {
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says("I will. ")
                        .and()
                        .calls("ok", "{\"x\":\"hushed\"}")
                        .and()
                        .calls("look", "{\"q\":\"x\"}")
                        .then()
                        .says("Done"))
                .agent(Crew.solo(Crew.OK, Crew.LOOK))
                .options(o -> o.outputProcessors(OutputStepProcessor.of(
                        "picky",
                        (context, answer) -> Processed.rewritten(new dev.chargehand.model.ModelResponse(
                                answer.text(),
                                "",
                                answer.toolCalls().stream()
                                        .filter(call -> !call.arguments().contains("hushed"))
                                        .toList(),
                                answer.finish(),
                                answer.usage())))))
                .run();
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.result().steps().getFirst().toolResults())
                .extracting(outcome -> outcome.toolName())
                .containsExactly("look");
        assertThat(ran.events().toString()).doesNotContain("hushed");
    }

    @Test
    void aTextThatIsNotHeldBackIsVoidAfterTheTripwire() {
        OutputStepProcessor late = new OutputStepProcessor() {
            @Override
            public String name() {
                return "late";
            }

            @Override
            public Processed<dev.chargehand.model.ModelResponse> processOutputStep(
                    dev.chargehand.processor.ProcessorContext context, dev.chargehand.model.ModelResponse answer) {
                return unlessSecret(answer.text(), false);
            }

            @Override
            public boolean holdsBack() {
                return false;
            }
        };
        Ran ran = Both.ways(() -> twice("shed.", "Fine."))
                .options(o -> o.outputProcessors(late))
                .run();
        assertThatEvents(ran.events()).areInOrder("text-delta", "text-end", "tripwire", "step-finish", "run-finish");
        assertThat(ran.result().text()).isEmpty();
        assertThat(ran.facts().toString()).doesNotContain("hushed");
    }

    @Test
    void whoReadsTextThatCannotBeTakenBackIsNotToldAnotherAnswer() {
        OutputStreamProcessor tooLate =
                OutputStreamProcessor.of("guard", context -> delta -> unlessSecret(delta, true));
        CountDownLatch reading = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("solo")
                .waitsFor(reading)
                .and()
                .streams("The ", "hushed.")
                .then()
                .says("Fine.");
        try (TestRuntime test = TestRuntime.with(script);
                RunStream run = test.bind(Crew.solo()).stream("Go", o -> o.outputProcessors(tooLate))) {
            Iterable<String> text = run.textStream();
            reading.countDown();
            assertThat(String.join("", text)).isEqualTo("The ");
            assertThat(run.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        }
    }

    @Test
    void aSubAgentsTripwireIsAnErrorResultThatSaysSo() {
        Agent researcher = Agent.builder("researcher")
                .description("Finds.")
                .model("a/b")
                .outputProcessors(step(false))
                .build();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .then()
                        .says("Done")
                        .on("researcher")
                        .says("A hushed fact"))
                .agent(Crew.supervisorOf(researcher))
                .run();
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: agent-researcher error: Agent 'researcher' gave no complete answer."
                        + " Processor 'guard' blocked the text: Not for everybody.");
        assertThat(ran.events())
                .filteredOn(RunEvent.Tripwire.class::isInstance)
                .singleElement()
                .satisfies(event -> assertThat(event.path().toString()).isEqualTo("supervisor/researcher"));
        assertThat(ran.facts().toString()).doesNotContain("hushed");
    }

    @Test
    void aSubAgentsInputIsThePromptOfItsDelegation() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        Agent researcher = Agent.builder("researcher")
                .description("Finds.")
                .model("a/b")
                .inputProcessors(InputProcessor.of("look", (context, messages) -> {
                    seen.add(messages.getFirst().text());
                    return Processed.abort("Not with me.");
                }))
                .build();
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("supervisor")
                        .delegates("researcher", "P")
                        .then()
                        .says("Done")
                        .on("researcher"))
                .agent(Crew.supervisorOf(researcher))
                .run();
        assertThat(ran.result()).finished();
        assertThat(seen).containsExactly("P", "P");
        assertThat(ran.request("supervisor", 2).getLast()).endsWith("blocked the text: Not with me.");
    }

    @Test
    void theTextOfABailIsLookedAtAsTheResult() {
        Ran ran = Both.ways(() -> Scripts.oneDelegation())
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(end -> end.bail())
                        .outputProcessors(
                                OutputResultProcessor.of("clean", (context, text) -> Processed.rewritten(text + "!"))))
                .run();
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Bailed.class);
        assertThat(ran.result().text()).isEqualTo("Fact!");
        assertThat(ran.result().messages().getLast().text()).isEqualTo("Fact!");
    }

    @Test
    void theResultIsLookedAtOnlyWhenTheRunEnds() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        Ran ran = Both.ways(() -> ScriptedModel.script()
                        .on("solo")
                        .says("First I look. ")
                        .and()
                        .calls("ok", "{}")
                        .then()
                        .says("Done"))
                .agent(Crew.solo(Crew.OK))
                .options(o -> o.outputProcessors(OutputResultProcessor.of("see", (context, text) -> {
                    seen.add(context.step() + " " + text);
                    return Processed.unchanged();
                })))
                .run();
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(seen).containsExactly("2 Done", "2 Done");
    }

    @Test
    void oneAfterTheOtherSeesWhatTheOneBeforeItMade() {
        InputStepProcessor one =
                InputStepProcessor.of("one", (context, messages) -> Processed.rewritten(List.of(Message.user("one"))));
        InputStepProcessor two = InputStepProcessor.of(
                "two",
                (context, messages) -> Processed.rewritten(
                        List.of(Message.user(messages.getFirst().text() + " two"))));
        Ran ran = Both.ways(() -> ScriptedModel.script().on("solo").says("Hi"))
                .options(o -> o.inputProcessors(one, two))
                .run();
        assertThat(ran.request("solo", 1)).containsExactly("user: one two");
    }

    @Test
    void whatLooksAtNothingThereIsRefused() {
        assertThatThrownBy(() -> RunOptions.defaults().with(o -> o.inputProcessors(step(true))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'guard'")
                .hasMessageContaining("InputProcessor, InputStepProcessor");
        assertThatThrownBy(() -> RunOptions.defaults()
                        .with(o -> o.outputProcessors(
                                InputProcessor.of("in", (context, messages) -> Processed.unchanged()))))
                .isInstanceOf(ConfigurationException.class);
        assertThat(ProcessorPhase.values()).hasSize(5);
    }
}
