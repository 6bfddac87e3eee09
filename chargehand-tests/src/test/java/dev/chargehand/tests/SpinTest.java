package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.HookException;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Foreign code that computes without end keeps no limit from firing and no other run from finishing. */
@Timeout(30)
class SpinTest {

    private static final Duration SHORT = Duration.ofMillis(500);

    @AutoClose
    private final Spinners spinners = new Spinners();

    /** Where the code stands that spins. */
    enum Place {
        TOOL,
        BEFORE_TOOL_CALL,
        APPROVAL_POLICY,
        PREPARE_STEP,
        ITERATION_HOOK,
        STEP_HOOK,
        STOP_WHEN,
        SCORER,
        PROCESSOR,
        ANSWER_TYPE,
        LISTENER,
        INSTRUCTIONS,
        END_HOOK,
        MODEL,
        MODEL_CLOSER,
        CONTEXT_PROPAGATOR
    }

    /** Spins when an answer is read as it. */
    record Slow(String text) {

        private static volatile Optional<Spinners> spinners = Optional.empty();

        Slow {
            spinners.ifPresent(Spinners::spin);
        }
    }

    /** Calls the tool once, then answers; as a model that spins, or whose closer does, it does neither. */
    private final class Scripted implements Model {

        private final Place place;

        private Scripted(Place place) {
            this.place = place;
        }

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
            switch (place) {
                case MODEL -> spinners.spin();
                case MODEL_CLOSER -> {
                    call.onCancel(spinners::spin);
                    Thread.sleep(Duration.ofMinutes(10)); // until the cancel interrupts it
                }
                default -> {}
            }
            boolean first = request.messages().size() < 3;
            return first ? Steps.calling("work", "{}") : Steps.said("{\"text\":\"Done.\"}");
        }
    }

    private Agent agent(Place place) {
        AgentBuilder agent = Agent.builder("solo")
                .model(new Scripted(place))
                .tools(Steps.tool("work", (in, ctx) -> {
                    if (place == Place.TOOL) {
                        spinners.spin();
                    }
                    return "worked";
                }))
                .defaultOptions(o -> at(place, o));
        if (place == Place.INSTRUCTIONS) {
            agent.instructionsFrom(context -> {
                spinners.spin();
                return "Work.";
            });
        }
        return agent.build();
    }

    private void at(Place place, RunOptions.Builder o) {
        o.timeLimit(TimeLimit.HOOK, SHORT)
                .timeLimit(TimeLimit.TOOL, SHORT)
                .timeLimit(TimeLimit.FIRST_TOKEN, SHORT)
                .retries(0);
        switch (place) {
            case BEFORE_TOOL_CALL ->
                o.beforeToolCall(call -> {
                    spinners.spin();
                    return ToolCallDecision.allow();
                });
            case APPROVAL_POLICY ->
                o.requireToolApproval(call -> {
                    spinners.spin();
                    return false;
                });
            case PREPARE_STEP ->
                o.prepareStep(step -> {
                    spinners.spin();
                    return StepPlan.unchanged();
                });
            case ITERATION_HOOK ->
                o.onIterationComplete(step -> {
                    spinners.spin();
                    return IterationDecision.proceed();
                });
            case STEP_HOOK -> o.onStepFinish(step -> spinners.spin());
            case STOP_WHEN ->
                o.stopWhen(step -> {
                    spinners.spin();
                    return false;
                });
            case SCORER ->
                o.completion(Completion.all(Scorer.of("slow", answer -> {
                            spinners.spin();
                            return Score.pass();
                        }))
                        .scorerTimeout(SHORT)
                        .continueOnFail(false));
            case PROCESSOR ->
                o.outputProcessors(OutputResultProcessor.of("slow", (context, text) -> {
                    spinners.spin();
                    return Processed.unchanged();
                }));
            case ANSWER_TYPE -> {
                Slow.spinners = Optional.of(spinners);
                o.structuredOutput(Slow.class);
            }
            case LISTENER -> o.addListener(event -> spinners.spin());
            case END_HOOK -> o.onFinish(result -> spinners.spin());
            default -> {}
        }
    }

    private AgentRuntime runtime(Place place) {
        AgentRuntimeBuilder builder = AgentRuntime.builder().providers();
        if (place == Place.CONTEXT_PROPAGATOR) {
            builder.addContextPropagator(() -> () -> {
                spinners.spin();
                return () -> {};
            });
        }
        return builder.build();
    }

    @ParameterizedTest
    @EnumSource
    void whereverItSpinsEveryRunEndsAndSoDoTheOthers(Place place) {
        try (AgentRuntime runtime = runtime(place);
                AgentRuntime other = AgentRuntime.builder().providers().build()) {
            Agent spinning = runtime.bind(agent(place));
            List<RunStream> runs = new ArrayList<>();
            for (int i = 0; i < Spinners.MANY; i++) {
                started(spinning).ifPresent(runs::add);
            }
            runs.forEach(SpinTest::ended);
            spinners.awaitStarted();
            Agent plain = Agent.builder("plain")
                    .model(new Scripted(Place.END_HOOK))
                    .tools(Crew.CALC)
                    .build();
            assertThat(other.bind(plain).generate("Go")).finished();
        }
    }

    /** Instructions are asked for before a run starts. */
    private static Optional<RunStream> started(Agent agent) {
        try {
            return Optional.of(agent.stream("Go"));
        } catch (HookException e) {
            return Optional.empty();
        }
    }

    private static void ended(RunStream run) {
        try {
            run.result();
        } catch (RunFailedException e) {
            // what spun decides, and so does its limit
        }
    }

    @Test
    void theTimeOfARunAndItsCancellationWinAgainstToolsThatSpin() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            Consumer<RunOptions.Builder> patient = o -> o.timeLimit(TimeLimit.TOOL, Duration.ofMinutes(10));
            Agent spinning = runtime.bind(agent(Place.TOOL));
            List<RunStream> cancelled = new ArrayList<>();
            List<RunStream> timed = new ArrayList<>();
            for (int i = 0; i < Spinners.MANY; i += 2) {
                cancelled.add(spinning.stream("Go", patient));
                timed.add(spinning.stream("Go", patient.andThen(o -> o.timeLimit(TimeLimit.RUN, SHORT))));
            }
            for (RunStream run : timed) {
                assertThat(run.result().stopReason()).isEqualTo(new StopReason.LimitReached(TimeLimit.RUN.key()));
            }
            for (RunStream run : cancelled) {
                run.cancel();
                RunResult result = run.result();
                assertThat(result.stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            }
        }
    }

    @Test
    void virtualThreadsOfTheApplicationThatSpinStopNoRun() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            for (int i = 0; i < Spinners.MANY; i++) {
                Thread.ofVirtual().start(spinners::spin);
            }
            spinners.awaitStarted();
            assertThat(runtime.bind(agent(Place.CONTEXT_PROPAGATOR)).generate("Go"))
                    .finished();
        }
    }
}
