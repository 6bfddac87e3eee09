package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.HookException;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.ProcessorContext;
import dev.chargehand.processor.TextProcessor;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processors that throw, hang, say nothing, or are cancelled: nothing passes one that fails. */
class ProcessorFaultsTest {

    /** Does something that nobody expects, at every place. */
    @FunctionalInterface
    private interface Fault {
        <T> Processed<T> happen(ProcessorContext context) throws Exception;
    }

    private static Consumer<RunOptions.Builder> at(ProcessorPhase phase, Fault fault) {
        return o -> {
            switch (phase) {
                case INPUT -> o.inputProcessors(InputProcessor.of("faulty", (context, value) -> fault.happen(context)));
                case INPUT_STEP ->
                    o.inputProcessors(InputStepProcessor.of("faulty", (context, value) -> fault.happen(context)));
                case OUTPUT_STREAM ->
                    o.outputProcessors(OutputStreamProcessor.of("faulty", context -> delta -> fault.happen(context)));
                case OUTPUT_STEP ->
                    o.outputProcessors(OutputStepProcessor.of("faulty", (context, value) -> fault.happen(context)));
                case OUTPUT_RESULT ->
                    o.outputProcessors(OutputResultProcessor.of("faulty", (context, value) -> fault.happen(context)));
            }
        };
    }

    private static Script answer() {
        return Scripts.on("solo").says("A dirty answer.");
    }

    private static void assertFailed(Ran ran, ProcessorPhase phase, String why) {
        assertThat(ran.failure()).isNotNull();
        assertThat(ran.failure().code()).isEqualTo("hook-failed");
        assertThat(ran.failure())
                .hasMessageContaining("Processor 'faulty' (" + phase.key() + ") of agent 'solo' failed: ")
                .hasMessageContaining(why)
                .hasCauseInstanceOf(HookException.class);
        assertThat(ran.result().text()).isEmpty();
        assertThat(ran.result().messages()).noneMatch(message -> message.text().contains("dirty"));
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void aProcessorThatThrowsFailsTheRun(ProcessorPhase phase) {
        Ran ran = Both.run(
                Crew.solo(),
                at(phase, new Fault() {
                    @Override
                    public <T> Processed<T> happen(ProcessorContext context) {
                        throw new IllegalStateException("bad processor.");
                    }
                }),
                ProcessorFaultsTest::answer);
        assertFailed(ran, phase, "bad processor. Nothing passes");
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void aProcessorThatSaysNothingFailsTheRun(ProcessorPhase phase) {
        Ran ran = Both.run(
                Crew.solo(),
                at(phase, new Fault() {
                    @Override
                    public <T> Processed<T> happen(ProcessorContext context) {
                        return null;
                    }
                }),
                ProcessorFaultsTest::answer);
        assertFailed(ran, phase, "it returned null");
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void aProcessorThatHangsFailsTheRunWhenItsTimeIsUp(ProcessorPhase phase) {
        Duration limit = Duration.ofSeconds(7);
        Ran ran = Both.ways(ProcessorFaultsTest::answer)
                .options(at(phase, new Fault() {
                            @Override
                            public <T> Processed<T> happen(ProcessorContext context) throws Exception {
                                new CountDownLatch(1).await();
                                return Processed.unchanged();
                            }
                        })
                        .andThen(o -> o.timeLimit(TimeLimit.HOOK, limit)))
                .passing(limit)
                .run();
        assertFailed(ran, phase, "it took longer than 7 s");
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void aRunThatIsCancelledWhileAProcessorIsAskedIsAborted(ProcessorPhase phase) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (TestRuntime test = TestRuntime.with(answer());
                RunStream run = test.bind(Crew.solo()).stream(
                        "Do the task",
                        at(phase, new Fault() {
                                    @Override
                                    public <T> Processed<T> happen(ProcessorContext context) {
                                        asked.countDown();
                                        boolean interrupted = false;
                                        while (!interrupted) {
                                            interrupted = Thread.interrupted();
                                            Thread.onSpinWait();
                                        }
                                        return Processed.unchanged();
                                    }
                                })
                                .andThen(o -> o.thread("t").resource("u")))) {
            asked.await();
            run.cancel();
            RunResult result = run.result();
            assertThat(result.status()).isEqualTo(RunStatus.ABORTED);
            assertThat(result.text()).isEmpty();
            assertThat(test.thread("t", "u").stream().map(Message::text))
                    .noneMatch(text -> text.contains("dirty"))
                    .hasSize(phase == ProcessorPhase.INPUT ? 0 : 1);
            assertThat(test.runtime().runs(RunFilter.ROOTS)).hasSize(phase == ProcessorPhase.INPUT ? 0 : 1);
        }
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void whatAJudgeUsesUpCountsInTheTotalAndNotForTheAgent(ProcessorPhase phase) {
        Fault judging = new Fault() {
            @Override
            public <T> Processed<T> happen(ProcessorContext context) {
                ModelResponse said = context.ask(ModelChoice.of("scripted/judge"), List.of(Message.user("Good?")));
                return said.text().equals("yes") ? Processed.unchanged() : Processed.abort("Not good.");
            }
        };
        Ran passed = Both.run(Crew.solo(), at(phase, judging), () -> answer().on("judge")
                .says("yes")
                .uses(100, 7));
        assertThat(passed.result().text()).isEqualTo("A dirty answer.");
        assertThat(passed.result().usage().totalTokens()).isEqualTo(15);
        assertThat(passed.result().totalUsage().totalTokens()).isEqualTo(122);
        assertThat(passed.result().usageByAgent()).containsKey("processors:");
        Ran tripped = Both.run(Crew.solo(), at(phase, judging), () -> answer().on("judge")
                .says("no")
                .uses(100, 7));
        assertThat(tripped.result().stopReason()).isInstanceOf(StopReason.Tripwire.class);
        assertThat(tripped.result().usageByAgent().get("processors:").totalTokens())
                .isEqualTo(107);
    }

    @ParameterizedTest
    @EnumSource(ProcessorPhase.class)
    void aJudgeIsBoundByTheBudgetOfTheRun(ProcessorPhase phase) {
        boolean before = phase == ProcessorPhase.INPUT || phase == ProcessorPhase.INPUT_STEP;
        Ran ran = Both.ways(() -> answer().on("judge").says("yes").forever())
                .options(at(phase, new Fault() {
                            @Override
                            public <T> Processed<T> happen(ProcessorContext context) {
                                context.ask(ModelChoice.of("scripted/judge"), List.of(Message.user("Good?")));
                                if (before) {
                                    context.ask(ModelChoice.of("scripted/judge"), List.of(Message.user("Sure?")));
                                }
                                return Processed.unchanged();
                            }
                        })
                        .andThen(o -> o.budget(b -> b.calls(1))))
                .driving(clock -> {}) // of an input that spends it there is nothing in the store, and no history
                .run();
        assertThat(ran.result().stopReason()).isEqualTo(new StopReason.BudgetExhausted("calls"));
        assertThat(ran.result().text()).isEmpty();
    }

    @Test
    void anInputOfWhichNothingIsLeftFailsTheRun() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.inputProcessors(
                        InputProcessor.of("faulty", (context, messages) -> Processed.rewritten(List.of()))),
                ProcessorFaultsTest::answer);
        assertFailed(ran, ProcessorPhase.INPUT, "nothing of the input");
    }

    @Test
    void oneProcessorServesManyRunsAtOnce() throws Exception {
        OutputStreamProcessor counting = OutputStreamProcessor.of("count", context -> new TextProcessor() {
            private int seen;

            @Override
            public Processed<String> next(String delta) {
                seen += delta.length();
                return Processed.rewritten("");
            }

            @Override
            public Processed<String> end() {
                return Processed.rewritten(
                        context.run().requestContext().get(Counting.KEY).orElse("") + seen);
            }
        });
        Script script = Scripts.on("solo").streams("ab", "c", "de").forever();
        try (TestRuntime test = TestRuntime.with(script);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var agent = test.bind(Crew.solo());
            List<Future<String>> runs = new ArrayList<>();
            IntStream.range(0, 50)
                    .forEach(i -> runs.add(threads.submit(() -> agent.generate("Go", o -> o.outputProcessors(counting)
                                    .requestContext(dev.chargehand.run.RequestContext.of(Counting.KEY, i + ":")))
                            .text())));
            for (int i = 0; i < 50; i++) {
                assertThat(runs.get(i).get()).isEqualTo(i + ":5");
            }
        }
    }

    private static final class Counting {
        private static final dev.chargehand.run.RequestContext.Key<String> KEY =
                dev.chargehand.run.RequestContext.Key.of("who", String.class);
    }

    @Test
    void aFailedRunSaysWhatThereIsOfIt() {
        try (TestRuntime test = TestRuntime.with(answer())) {
            RunFailedException failure = org.assertj.core.api.Assertions.catchThrowableOfType(
                    RunFailedException.class, () -> test.bind(Crew.solo())
                            .generate(
                                    "Go",
                                    o -> o.inputProcessors(InputProcessor.of(
                                            "faulty",
                                            (context, messages) -> Steps.failing(new IllegalStateException("no"))))));
            assertThat(failure.result().status()).isEqualTo(RunStatus.FAILED);
            assertThat(test.runtime().runs(RunFilter.ROOTS)).singleElement().satisfies(run -> assertThat(run.status())
                    .isEqualTo(RunStatus.FAILED));
        }
    }
}
