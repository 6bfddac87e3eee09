package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancelling ends a run at once, whatever ignores it. */
class CancellationTest {

    /** Goes down when what is to be cancelled is at work. */
    private final CountDownLatch atWork = new CountDownLatch(1);

    /** Goes down when the test is over, so that nothing deaf stays behind. */
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        over.countDown();
    }

    private void beDeaf() {
        atWork.countDown();
        while (over.getCount() > 0) {
            try {
                over.await();
            } catch (InterruptedException e) {
                // deaf
            }
        }
    }

    private final Tool deaf = Steps.tool("deaf", (in, ctx) -> {
        beDeaf();
        return "too late";
    });

    private void cancelled(Script script, Agent agent, Consumer<RunOptions.Builder> options) throws Exception {
        try (TestRuntime test = TestRuntime.with(script)) {
            RunStream run = test.bind(agent).stream("Go", options);
            atWork.await();
            run.cancel();
            List<RunEvent> events = new ArrayList<>();
            run.forEach(events::add);
            assertThat(run.result()).hasStatus(RunStatus.ABORTED).stoppedBecause(new StopReason.Cancelled("caller"));
            assertThatEvents(events).arePaired().endWithRunFinish().areInOrder("abort", "run-finish");
            assertThat(test.store().list(RunFilter.ROOTS.tree(run.runId())))
                    .allSatisfy(record -> assertThat(record.status().isEnded()).isTrue());
            run.cancel();
            assertThat(test.runtime().cancel(run.runId())).isFalse();
        }
    }

    @Test
    void itWinsAgainstAModelThatIgnoresIt() throws Exception {
        cancelled(
                Scripts.on("solo", Turn.of(t -> t.says("Half")
                        .and()
                        .does(atWork::countDown)
                        .and()
                        .hangsUntil(over))),
                Crew.solo(),
                o -> {});
    }

    @Test
    void itWinsAgainstAToolThatIgnoresIt() throws Exception {
        cancelled(Scripts.on("solo").calls("deaf", "{}"), Crew.solo(deaf), o -> {});
    }

    @Test
    void itReachesNestedRuns() throws Exception {
        cancelled(
                Scripts.of(
                        Turns.of("supervisor", Turn.delegates("researcher", "P").and(Turn.delegates("writer", "P"))),
                        Turns.of("researcher", Turn.calls("deaf", "{}")),
                        Turns.of("writer", Turn.of(t -> t.hangs()))),
                Crew.supervisorOf(Crew.member("researcher", deaf)),
                o -> {});
    }

    @Test
    void itWinsAgainstPrepareStep() throws Exception {
        cancelled(
                Scripts.on("solo"),
                Crew.solo(),
                o -> o.prepareStep(step -> {
                    beDeaf();
                    throw new IllegalStateException();
                }));
    }

    @Test
    void itWinsAgainstAPredicate() throws Exception {
        cancelled(
                Scripts.on("solo").says("Hi"),
                Crew.solo(),
                o -> o.stopWhen(step -> {
                    beDeaf();
                    return true;
                }));
    }

    @Test
    void itWinsAgainstOnStepFinish() throws Exception {
        cancelled(Scripts.on("solo").calls("ok", "{}"), Crew.solo(Crew.OK), o -> o.onStepFinish(step -> beDeaf())
                .timeLimit(TimeLimit.HOOK, Duration.ofHours(1)));
    }

    @Test
    void itWinsAgainstAListener() throws Exception {
        cancelled(Scripts.on("solo").hangs(), Crew.solo(), o -> o.addListener(event -> beDeaf())
                .timeLimit(TimeLimit.HOOK, Duration.ofMillis(50)));
    }

    @Test
    void aToolSeesThatItsResultIsNoLongerWanted() throws Exception {
        AtomicBoolean early = new AtomicBoolean();
        AtomicBoolean seen = new AtomicBoolean();
        CountDownLatch interrupted = new CountDownLatch(1);
        Tool tool = Steps.tool("waiting", (in, ctx) -> {
            early.set(ctx.isCancelled());
            atWork.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                seen.set(ctx.isCancelled());
                interrupted.countDown();
            }
            return "too late";
        });
        cancelled(Scripts.on("solo").calls("waiting", "{}"), Crew.solo(tool), o -> {});
        interrupted.await();
        assertThat(early).isFalse();
        assertThat(seen).isTrue();
    }

    @Test
    void closingTheStreamCancelsTheRunAndWaitsForItsEnd() throws Exception {
        Script script = Scripts.on("solo").does(atWork::countDown).and().hangs();
        try (TestRuntime test = TestRuntime.with(script)) {
            RunStream run = test.bind(Crew.solo()).stream("Go");
            atWork.await();
            run.close();
            assertThat(test.store().find(run.runId()).orElseThrow().status()).isEqualTo(RunStatus.ABORTED);
            assertThat(run.result()).stoppedBecause(new StopReason.Cancelled("stream-closed"));
            run.close();
        }
    }

    @Test
    void closingTheStreamOfAnEndedRunChangesNothing() {
        Script script = Scripts.on("solo").says("Hi");
        try (TestRuntime test = TestRuntime.with(script)) {
            RunStream run = test.bind(Crew.solo()).stream("Go");
            assertThat(run.result()).finished();
            run.close();
            assertThat(run.result()).finished().hasText("Hi");
        }
    }

    @Test
    void interruptingGenerateCancelsTheRunAndKeepsTheFlag() throws Exception {
        Script script = Scripts.on("solo").does(atWork::countDown).and().hangs();
        try (TestRuntime test = TestRuntime.with(script)) {
            AtomicReference<RunResult> result = new AtomicReference<>();
            AtomicBoolean flag = new AtomicBoolean();
            Thread caller = Thread.ofVirtual().start(() -> {
                result.set(test.bind(Crew.solo()).generate("Go"));
                flag.set(Thread.currentThread().isInterrupted());
            });
            atWork.await();
            caller.interrupt();
            caller.join();
            assertThat(result.get()).hasStatus(RunStatus.ABORTED).stoppedBecause(new StopReason.Cancelled("interrupt"));
            assertThat(flag).isTrue();
        }
    }

    @Test
    void interruptingWhoReadsTheEventsCancelsTheRunAndEndsTheIteration() throws Exception {
        Script script = Scripts.on("solo").does(atWork::countDown).and().hangs();
        try (TestRuntime test = TestRuntime.with(script);
                RunStream run = test.bind(Crew.solo()).stream("Go")) {
            List<RunEvent> events = new ArrayList<>();
            AtomicBoolean flag = new AtomicBoolean();
            Thread reader = Thread.ofVirtual().start(() -> {
                run.forEach(events::add);
                flag.set(Thread.currentThread().isInterrupted());
            });
            atWork.await();
            reader.interrupt();
            reader.join();
            assertThat(flag).isTrue();
            assertThatEvents(events).arePaired().endWithRunFinish().contain("abort");
        }
    }

    @Test
    void closingTheRuntimeCancelsItsRunsAndItBeginsNoOthers() throws Exception {
        Script script = Scripts.on("solo").does(atWork::countDown).and().hangs();
        TestRuntime test = TestRuntime.with(script);
        Agent agent = test.bind(Crew.solo());
        RunStream run = agent.stream("Go");
        atWork.await();
        test.close();
        assertThat(run.result()).stoppedBecause(new StopReason.Cancelled("shutdown"));
        assertThatThrownBy(() -> agent.generate("Go")).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void whatTheModelHadWrittenIsThePartialText() throws Exception {
        CountDownLatch said = new CountDownLatch(1);
        Script script = Scripts.on(
                "solo",
                Turn.of(t ->
                        t.says("Half an ans").and().does(said::countDown).and().hangs()));
        try (TestRuntime test = TestRuntime.with(script);
                RunStream run = test.bind(Crew.solo()).stream("Go", o -> o.thread("t"))) {
            said.await();
            run.cancel();
            assertThat(run.result()).hasText("Half an ans");
            assertThat(test.thread("t", null).stream().map(Wire::line))
                    .containsExactly("user: Go", "assistant: Half an ans");
        }
    }

    @Test
    void aCancelledCallIsNotLeftWithoutAResult() throws Exception {
        Script script = Scripts.of(
                Turns.of("solo", Turn.calls("deaf", "{}").and(Turn.calls("ok", "{}"))), Turns.saying("later", "Back"));
        try (TestRuntime test = TestRuntime.with(script)) {
            RunStream run = test.bind(Crew.solo(deaf, Crew.OK)).stream("Go", o -> o.thread("t"));
            atWork.await();
            run.cancel();
            assertThat(run.result()).hasStatus(RunStatus.ABORTED);
            Agent later = Agent.builder("later").model("a/b").build();
            test.bind(later).generate("Again", o -> o.thread("t"));
            Wire.assertWellFormed(script.requestsOf("later").getFirst());
            assertThat(Wire.lines(script.requestsOf("later").getFirst()))
                    .anyMatch(line -> line.contains("its outcome is unknown"));
        }
    }

    @Test
    void theFailureOfACallThatItCutOffIsNotTheFailureOfTheRun() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        CompletableFuture<Boolean> joined = new CompletableFuture<>();
        Model cutOff = new Model() {
            @Override
            public String name() {
                return "cut/off";
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
                Thread asking = Thread.currentThread();
                call.onCancel(() -> {
                    cut.countDown();
                    joined.complete(hasEnded(asking));
                });
                atWork.countDown();
                cut.await();
                throw new ModelException(ModelException.Kind.CONNECTION, false, null, "Cut off.", null);
            }
        };
        cancelled(ScriptedModel.script(), Agent.builder("solo").model(cutOff).build(), o -> {});
        assertThat(joined.get(60, TimeUnit.SECONDS)).as("its failure came").isTrue();
    }

    private static boolean hasEnded(Thread thread) {
        try {
            thread.join();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void lateDeltasOfAModelThatWasGivenUpAreDropped() throws Exception {
        for (int i = 0; i < 200; i++) {
            CountDownLatch talking = new CountDownLatch(1);
            AtomicBoolean stop = new AtomicBoolean();
            Model chatterbox = new Model() {
                @Override
                public String name() {
                    return "chatter/box";
                }

                @Override
                public ModelResponse ask(ModelRequest request, ModelCall call) {
                    while (!stop.get()) {
                        call.delta(new ModelDelta.Text("x"));
                        call.delta(new ModelDelta.Reasoning("y"));
                        talking.countDown();
                    }
                    return ModelResponse.text("", Usage.NONE);
                }
            };
            try (TestRuntime test = TestRuntime.with(ScriptedModel.script())) {
                Agent agent = Agent.builder("a").model(chatterbox).build();
                try (RunStream run =
                        test.runtime().bind(agent).stream("Go", o -> o.limit(Limit.OUTPUT_CHARACTERS, 1_000_000_000))) {
                    List<RunEvent> events = new ArrayList<>();
                    Thread reader = Thread.ofVirtual().start(() -> run.forEach(events::add));
                    talking.await();
                    run.cancel();
                    reader.join();
                    assertThatEvents(events).arePaired().endWithRunFinish();
                } finally {
                    stop.set(true);
                }
            }
        }
    }
}
