package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
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
        return Scripts.on("solo", Turn.streams("The hu", first), Turn.says(second), Turn.says("A third answer."));
    }

    @ParameterizedTest
    @MethodSource("retrying")
    void theModelIsToldWhyAndAnswersAgain(Processor processor) {
        List<String> stored = new ArrayList<>();
        Ran ran = Both.ways(() -> twice("shed.", "Fine."))
                .options(o -> o.outputProcessors(processor).thread("t").resource("u"))
                .after(test -> stored.addAll(Wire.thread(test)))
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
        assertThat(ran.all(RunEvent.Tripwire.class)).singleElement().satisfies(event -> assertThat(event.retry())
                .isTrue());
        if (!(processor instanceof OutputStreamProcessor)) {
            assertThat(ran.result().totalUsage().totalTokens()).isEqualTo(30);
        }
    }

    @ParameterizedTest
    @MethodSource("retrying")
    void aModelThatDoesNotLearnEndsTheRun(Processor processor) {
        Ran ran = Both.run(Crew.solo(), o -> o.outputProcessors(processor), () -> twice("shed.", "Still a hushed."));
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        assertThat(ran.result().status()).isEqualTo(RunStatus.INCOMPLETE);
        assertThat(ran.result().text()).isEmpty();
        assertThat(ran.script().requests()).hasSize(2);
        assertThatEvents(ran.events()).areInOrder("tripwire", "tripwire", "step-finish", "run-finish");
    }

    @ParameterizedTest
    @MethodSource("retrying")
    void howOftenItMayAnswerAgainCanBeSet(Processor processor) {
        Ran none = Both.run(
                Crew.solo(), o -> o.outputProcessors(processor).maxProcessorRetries(0), () -> twice("shed.", "Fine."));
        assertThat(none.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        assertThat(none.script().requests()).hasSize(1);
        Ran two = Both.run(
                Crew.solo(),
                o -> o.outputProcessors(processor).maxProcessorRetries(2),
                () -> twice("shed.", "Still a hushed."));
        assertThat(two.result()).finished().hasText("A third answer.");
        Steps.assertMisconfigured(() -> RunOptions.defaults().with(o -> o.maxProcessorRetries(-1)));
    }

    @Test
    void refusalsAreCountedOverTheWholeRun() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.outputProcessors(step(true)),
                Turn.says("A hushed."),
                Turn.calls("ok", "{}"),
                Turn.says("A hushed again."));
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        assertThat(ran.request("solo", 3)).anyMatch(line -> line.contains(REASON));
    }

    @ParameterizedTest
    @MethodSource("ending")
    void noCallOfAnAnswerThatDoesNotPassIsExecuted(Processor processor) {
        List<String> done = Collections.synchronizedList(new ArrayList<>());
        Tool tool = Steps.tool("act", (in, ctx) -> Steps.noted(done, "act", "done"));
        Ran ran = Both.run(
                Crew.solo(tool),
                o -> o.outputProcessors(processor).maxSteps(1).thread("t").resource("u"),
                Turn.says("A hushed plan.").and(Turn.calls("act", "{}")));
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
        Ran ran = Both.run(
                Crew.solo(Crew.OK, Crew.LOOK),
                o -> o.outputProcessors(OutputStepProcessor.of(
                        "picky",
                        (context, answer) -> Processed.rewritten(new dev.chargehand.model.ModelResponse(
                                answer.text(),
                                "",
                                answer.toolCalls().stream()
                                        .filter(call -> !call.arguments().contains("hushed"))
                                        .toList(),
                                answer.finish(),
                                answer.usage())))),
                Turn.says("I will. ")
                        .and(Turn.calls("ok", "{\"x\":\"hushed\"}"))
                        .and(Turn.calls("look", "{\"q\":\"x\"}")),
                Turn.says("Done"));
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
        Ran ran = Both.run(Crew.solo(), o -> o.outputProcessors(late), () -> twice("shed.", "Fine."));
        assertThatEvents(ran.events()).areInOrder("text-delta", "text-end", "tripwire", "step-finish", "run-finish");
        assertThat(ran.result().text()).isEmpty();
        assertThat(ran.facts().toString()).doesNotContain("hushed");
    }

    @Test
    void whoReadsTextThatCannotBeTakenBackIsNotToldAnotherAnswer() {
        OutputStreamProcessor tooLate =
                OutputStreamProcessor.of("guard", context -> delta -> unlessSecret(delta, true));
        CountDownLatch reading = new CountDownLatch(1);
        Script script =
                Scripts.on("solo", Turn.waitsFor(reading).and(Turn.streams("The ", "hushed.")), Turn.says("Fine."));
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
        Agent researcher = Crew.agent("researcher", agent -> agent.outputProcessors(step(false)));
        Ran ran = Both.run(
                Crew.supervisorOf(researcher),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.saying("researcher", "A hushed fact"));
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: agent-researcher error: Agent 'researcher' gave no complete answer."
                        + " Processor 'guard' blocked the text: Not for everybody.");
        assertThat(ran.all(RunEvent.Tripwire.class))
                .singleElement()
                .satisfies(event -> assertThat(event.path().toString()).isEqualTo("supervisor/researcher"));
        assertThat(ran.facts().toString()).doesNotContain("hushed");
    }

    @Test
    void aSubAgentsInputIsThePromptOfItsDelegation() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        Agent researcher = Crew.agent(
                "researcher",
                agent -> agent.inputProcessors(InputProcessor.of(
                        "look",
                        (context, messages) ->
                                Steps.noted(seen, messages.getFirst().text(), Processed.abort("Not with me.")))));
        Ran ran = Both.run(
                Crew.supervisorOf(researcher),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher"));
        assertThat(ran.result()).finished();
        assertThat(seen).containsExactly("P", "P");
        assertThat(ran.request("supervisor", 2).getLast()).endsWith("blocked the text: Not with me.");
    }

    @Test
    void theTextOfABailIsLookedAtAsTheResult() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> end.bail())
                        .outputProcessors(
                                OutputResultProcessor.of("clean", (context, text) -> Processed.rewritten(text + "!"))),
                () -> Scripts.oneDelegation());
        assertThat(ran.result().stopReason()).isInstanceOf(StopReason.Bailed.class);
        assertThat(ran.result().text()).isEqualTo("Fact!");
        assertThat(ran.result().messages().getLast().text()).isEqualTo("Fact!");
    }

    @Test
    void theTextOfABailDoesNotReplaceWhatTheSupervisorSaid() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(end -> end.bail())
                        .outputProcessors(
                                OutputResultProcessor.of("clean", (context, text) -> Processed.rewritten(text + "!"))),
                Turns.of("supervisor", Turn.says("I ask.").and(Turn.delegates("researcher", "P"))),
                Turns.saying("researcher", "Fact"));
        assertThat(ran.result().text()).isEqualTo("Fact!");
        assertThat(ran.result().steps().getFirst().text()).isEqualTo("I ask.");
        assertThat(ran.result().messages()).extracting(Message::text).containsOnlyOnce("Fact!", "I ask.");
    }

    @Test
    void theResultIsLookedAtOnlyWhenTheRunEnds() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.outputProcessors(OutputResultProcessor.of(
                        "see",
                        (context, text) -> Steps.noted(seen, context.step() + " " + text, Processed.unchanged()))),
                Turn.says("First I look. ").and(Turn.calls("ok", "{}")),
                Turn.says("Done"));
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
        Ran ran = Both.run(Crew.solo(), o -> o.inputProcessors(one, two), Turn.says("Hi"));
        assertThat(ran.request("solo", 1)).containsExactly("user: one two");
    }

    @Test
    void whatLooksAtNothingThereIsRefused() {
        Steps.assertMisconfigured(
                () -> RunOptions.defaults().with(o -> o.inputProcessors(step(true))),
                "'guard'",
                "InputProcessor, InputStepProcessor");
        Steps.assertMisconfigured(() -> RunOptions.defaults()
                .with(o -> o.outputProcessors(InputProcessor.of("in", (context, messages) -> Processed.unchanged()))));
        assertThat(ProcessorPhase.values()).hasSize(5);
    }
}
