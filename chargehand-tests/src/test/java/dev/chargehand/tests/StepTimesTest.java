package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.json.Json;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the calls of steps were made. */
class StepTimesTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    record In(int seconds) {}

    /** Return the steps of a run without their times, which differ from run to run. */
    static List<StepOutcome> without(RunResult result) {
        StepOutcome.Times none = new StepOutcome.Times(Instant.EPOCH, Instant.EPOCH);
        return result.workflowSteps().stream()
                .map(step -> new StepOutcome(
                        step.path(), step.stepId(), step.input(), step.output(), step.error(), step.attempts(), none))
                .toList();
    }

    @Test
    void aStepHasTheTimesOfItsCall() {
        ManualClock clock = new ManualClock(START);
        Step<In, In> step = Step.of("wait", In.class, In.class, (in, context) -> {
            clock.advance(Duration.ofSeconds(in.seconds()));
            return new In(in.seconds() + 1);
        });
        Workflow<In, In> workflow = Workflow.from("flow", In.class)
                .then(step)
                .then(Step.of("again", In.class, In.class, (in, context) -> {
                    clock.advance(Duration.ofSeconds(in.seconds()));
                    return in;
                }))
                .build(In.class);
        try (AgentRuntime runtime = AgentRuntime.builder().timeSource(clock).build()) {
            WorkflowResult<In> result = runtime.run(workflow, new In(3), options -> {});

            assertThat(result.steps())
                    .extracting(StepOutcome::times)
                    .containsExactly(
                            new StepOutcome.Times(START, START.plusSeconds(3)),
                            new StepOutcome.Times(START.plusSeconds(3), START.plusSeconds(7)));
            assertThat(result.steps())
                    .extracting(one -> one.times().duration())
                    .containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(4));
            assertThat(result.steps()).extracting(StepOutcome::status).containsOnly(StepOutcome.Status.COMPLETED);
        }
    }

    @Test
    void aClockThatWasSetBackGivesNoNegativeTime() {
        StepOutcome.Times times = new StepOutcome.Times(START, START.minusSeconds(1));
        assertThat(times.duration()).isZero();
        assertThat(new StepOutcome("a", "a", Json.of(1), Optional.empty(), Optional.of("no"), 1, times).status())
                .isEqualTo(StepOutcome.Status.FAILED);
    }
}
