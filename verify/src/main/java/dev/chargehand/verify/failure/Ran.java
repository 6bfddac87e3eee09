package dev.chargehand.verify.failure;

import dev.chargehand.AgentRuntime;
import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.background.IdleReason;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a run went for its caller.
 *
 * @param result how it ended; null if it did not start
 * @param refusal what the caller got instead of a run; null if it started
 * @param events the emitted events
 */
record Ran(@Nullable RunResult result, @Nullable RuntimeException refusal, List<RunEvent> events) {

    /** Return the events of a root run and of its nested runs, without those of other turns of its conversation and of tasks. */
    List<RunEvent> eventsOf(RunId root) {
        return events.stream()
                .dropWhile(event -> !event.runId().equals(root) || event instanceof BackgroundTaskEvent)
                .filter(event ->
                        event.runId().equals(root) || !event.origin().path().isRoot())
                .filter(event -> !(event instanceof BackgroundTaskEvent) && !(event instanceof Idle))
                .toList();
    }

    /** Run the scenario, and wait for its end. */
    static Ran of(Scenario scenario, AgentRuntime runtime, boolean streamed) {
        List<RunEvent> events = streamed ? new ArrayList<>() : new CopyOnWriteArrayList<>();
        try {
            return new Ran(
                    streamed ? watch(scenario, runtime, events) : waitFor(scenario, runtime, events), null, events);
        } catch (RunFailedException e) {
            return new Ran(e.result(), null, events);
        } catch (RuntimeException e) {
            return new Ran(null, e, events);
        }
    }

    @SuppressWarnings("deprecation") // networks fail as other runs do
    private static RunResult waitFor(Scenario scenario, AgentRuntime runtime, List<RunEvent> events) {
        Consumer<RunOptions.Builder> options = o -> {
            scenario.options(o);
            o.addListener(events::add);
        };
        return switch (scenario.kind()) {
            case WORKFLOW -> scenario.start(runtime, options).result();
            case TASK -> lastTurn(scenario, runtime.agent("boss").generateUntilIdle("Go", options));
            case NETWORK -> runtime.agent("boss").generateNetwork("Go", options);
            case ORDINARY, PLAIN, STRUCTURED -> runtime.agent("boss").generate("Go", options);
        };
    }

    private static RunResult watch(Scenario scenario, AgentRuntime runtime, List<RunEvent> events) {
        if (scenario.kind() == Kind.TASK) {
            return watchTurns(scenario, runtime, events);
        }
        try (RunStream run = stream(scenario, runtime)) {
            run.forEach(events::add);
            return run.result();
        }
    }

    private static RunResult watchTurns(Scenario scenario, AgentRuntime runtime, List<RunEvent> events) {
        try (IdleStream turns = runtime.agent("boss").streamUntilIdle("Go", scenario::options)) {
            turns.forEach(events::add);
            return lastTurn(scenario, turns.result());
        }
    }

    /** A task that nothing wakes, and a turn that nothing starts, would end the call by its limit only. */
    private static RunResult lastTurn(Scenario scenario, IdleResult result) {
        if (result.reason() == IdleReason.QUIET && !scenario.isMisled()) {
            throw new IllegalStateException("Nothing has happened any more: " + result.tasks());
        }
        return result.turns().getLast();
    }

    @SuppressWarnings("deprecation") // networks fail as other runs do
    private static RunStream stream(Scenario scenario, AgentRuntime runtime) {
        return switch (scenario.kind()) {
            case WORKFLOW -> scenario.stream(runtime);
            case NETWORK -> runtime.agent("boss").network("Go", scenario::options);
            case ORDINARY, PLAIN, STRUCTURED, TASK -> runtime.agent("boss").stream("Go", scenario::options);
        };
    }
}
