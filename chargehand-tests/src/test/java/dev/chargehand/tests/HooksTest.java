package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.error.ModelException;
import dev.chargehand.hook.StepContext;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.step.StepResult;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hooks see what they should, and neither break nor hang a run. */
class HooksTest {

    private static Script twoSteps() {
        return Scripts.on("solo").calls("ok", "{}").then().says("Done");
    }

    @Test
    void onStepFinishHearsOfEveryStep() {
        List<StepResult> steps = Collections.synchronizedList(new ArrayList<>());
        Ran ran = Both.run(Crew.solo(Crew.OK), o -> o.onStepFinish(steps::add), HooksTest::twoSteps);
        assertThat(steps).hasSize(4);
        assertThat(steps.subList(2, 4)).isEqualTo(ran.result().steps());
    }

    @Test
    void theEndOfARunIsHeardByTheOneHookThatItIsFor() {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        Consumer<RunOptions.Builder> hooks = o -> o.onFinish(result -> heard.add("finish " + result.status()))
                .onError(result -> heard.add("error " + result.status()))
                .onAbort(result -> heard.add("abort " + result.status()));
        Both.run(Crew.solo(Crew.OK), hooks, HooksTest::twoSteps);
        assertThat(heard).containsExactly("finish COMPLETED", "finish COMPLETED");
        heard.clear();
        Both.run(Crew.solo(Crew.OK), hooks.andThen(o -> o.maxSteps(1)), HooksTest::twoSteps);
        assertThat(heard).containsExactly("finish INCOMPLETE", "finish INCOMPLETE");
        heard.clear();
        Both.run(Crew.solo(), hooks, Turn.failsWith(new ModelException(ModelException.Kind.PROTOCOL, "No.", null)));
        assertThat(heard).containsExactly("error FAILED", "error FAILED");
    }

    @Test
    void onAbortHearsOfACancelledRun() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        List<RunResult> heard = Collections.synchronizedList(new ArrayList<>());
        Script script = Scripts.on("solo").does(asked::countDown).and().hangs();
        try (TestRuntime test = TestRuntime.with(script);
                var run = test.bind(Crew.solo()).stream("Go", o -> o.onAbort(heard::add))) {
            asked.await();
            run.cancel();
            RunResult result = run.result();
            assertThat(heard).containsExactly(result);
        }
    }

    @Test
    void hooksOfASubAgentHearOfItsOwnRun() {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        Agent researcher = Crew.agent(
                "researcher",
                agent -> agent.defaultOptions(
                        o -> o.onFinish(result -> heard.add(result.path() + " " + result.text()))));
        Both.run(Crew.supervisorOf(researcher), Scripts::oneDelegation);
        assertThat(heard).containsExactly("supervisor/researcher Fact", "supervisor/researcher Fact");
    }

    static Stream<Named<Consumer<RunOptions.Builder>>> throwing() {
        return Stream.of(
                Named.of(
                        "onStepFinish",
                        o -> o.onStepFinish(step -> Steps.failing(new IllegalStateException("bad hook")))),
                Named.of(
                        "onFinish",
                        o -> o.onFinish(result -> {
                            throw new AssertionError("bad hook");
                        })),
                Named.of("stopWhen[0]", o -> o.stopWhen(step -> Steps.failing(new IllegalStateException("bad hook")))));
    }

    @ParameterizedTest
    @MethodSource("throwing")
    void aHookThatThrowsIsReportedAndTheRunGoesOn(Consumer<RunOptions.Builder> hook) {
        Ran ran = Both.run(Crew.solo(Crew.OK), hook, HooksTest::twoSteps);
        assertThat(ran.result()).finished().hasText("Done");
        assertThatEvents(ran.events()).contain("hook-error").endWithRunFinish();
        assertThat(ran.events().stream().filter(event -> event.type().equals("hook-error")))
                .allSatisfy(event -> assertThat(event.toJson().text()).contains("bad hook"));
    }

    @Test
    void aHookThatHangsIsGivenUpAndTheRunGoesOn() {
        CountDownLatch over = new CountDownLatch(1);
        Semaphore hanging = new Semaphore(0);
        Ran ran = Both.ways(() -> Scripts.on("solo").says("Done"))
                .options(
                        o -> o.timeLimit(TimeLimit.HOOK, Duration.ofSeconds(11)).onFinish(result -> {
                            hanging.release();
                            try {
                                over.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        }))
                .driving(clock -> {
                    hanging.acquireUninterruptibly();
                    clock.awaitAlarm(Duration.ofSeconds(11));
                    clock.advance(Duration.ofSeconds(11));
                })
                .run();
        assertThat(ran.result()).finished();
        assertThatEvents(ran.events()).areInOrder("step-finish", "hook-error", "run-finish");
    }

    @Test
    void prepareStepThatThrowsFailsTheRun() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.prepareStep(step -> {
                    if (step.step() == 2) {
                        throw new IllegalStateException("bad plan");
                    }
                    return StepPlan.unchanged();
                }),
                HooksTest::twoSteps);
        assertThat(ran.result()).hasStatus(RunStatus.FAILED).hasSteps(1);
        assertThat(ran.failure().code()).isEqualTo("hook-failed");
        assertThat(ran.failure()).hasMessageContaining("prepareStep").hasMessageContaining("bad plan");
    }

    @Test
    void prepareStepThatPlansNothingFailsTheRun() {
        Ran ran = Both.run(Crew.solo(), o -> o.prepareStep(step -> null), Turns.of("solo"));
        assertThat(ran.failure().code()).isEqualTo("hook-failed");
    }

    @Test
    void prepareStepThatHangsFailsTheRun() {
        Ran ran = Both.ways(() -> Scripts.on("solo"))
                .options(
                        o -> o.timeLimit(TimeLimit.HOOK, Duration.ofSeconds(11)).prepareStep(step -> {
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return StepPlan.unchanged();
                        }))
                .passing(Duration.ofSeconds(11))
                .run();
        assertThat(ran.failure().code()).isEqualTo("hook-failed");
        assertThat(ran.failure()).hasMessageContaining("took longer than 11 s");
    }

    @Test
    void prepareStepChangesOneStepOnly() {
        Script script = twoSteps().on("other").says("Other");
        AtomicReference<StepContext> first = new AtomicReference<>();
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = test.bind(Crew.solo(Crew.OK, Crew.LOOK))
                    .generate(
                            "Go",
                            o -> o.prepareStep(step -> {
                                if (step.step() == 1) {
                                    first.set(step);
                                    return StepPlan.unchanged()
                                            .withMessages(List.of(Message.user("Instead")))
                                            .withModelSettings(ModelSettings.DEFAULT.temperature(0.5))
                                            .withToolChoice(ToolChoice.tool("ok"))
                                            .withActiveTools("ok");
                                }
                                return StepPlan.unchanged().withModel(ModelChoice.of("scripted/other"));
                            }));
            assertThat(result).hasText("Other");
            assertThat(first.get().messages()).hasSize(1);
            assertThat(first.get().maxSteps()).isEqualTo(10);
            assertThat(Wire.lines(script.requestsOf("solo").getFirst())).containsExactly("user: Instead");
            assertThat(script.requestsOf("solo").getFirst().settings().temperature())
                    .isEqualTo(0.5);
            assertThat(script.requestsOf("solo").getFirst().toolChoice()).isEqualTo(ToolChoice.tool("ok"));
            assertThat(Wire.tools(script.requestsOf("solo").getFirst())).containsExactly("ok");
            assertThat(Wire.lines(script.requestsOf("other").getFirst()))
                    .containsExactly("user: Go", "assistant: ok{}", "tool: ok = {\"fine\":true}");
            assertThat(script.requestsOf("other").getFirst().toolChoice()).isEqualTo(ToolChoice.auto());
            assertThat(script.requestsOf("other").getFirst().settings()).isEqualTo(ModelSettings.DEFAULT);
        }
    }
}
