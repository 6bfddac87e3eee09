package dev.chargehand.verify.failure;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
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
            case NETWORK -> runtime.agent("boss").generateNetwork("Go", options);
            case ORDINARY, STRUCTURED -> runtime.agent("boss").generate("Go", options);
        };
    }

    private static RunResult watch(Scenario scenario, AgentRuntime runtime, List<RunEvent> events) {
        try (RunStream run = stream(scenario, runtime)) {
            run.forEach(events::add);
            return run.result();
        }
    }

    @SuppressWarnings("deprecation") // networks fail as other runs do
    private static RunStream stream(Scenario scenario, AgentRuntime runtime) {
        return switch (scenario.kind()) {
            case WORKFLOW -> scenario.stream(runtime);
            case NETWORK -> runtime.agent("boss").network("Go", scenario::options);
            case ORDINARY, STRUCTURED -> runtime.agent("boss").stream("Go", scenario::options);
        };
    }
}
