package dev.chargehand.verify.failure;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
    @SuppressWarnings("deprecation") // networks fail as other runs do
    static Ran of(Scenario scenario, AgentRuntime runtime, boolean streamed) {
        List<RunEvent> events = streamed ? new ArrayList<>() : new CopyOnWriteArrayList<>();
        Agent agent = runtime.agent("boss");
        try {
            return new Ran(
                    streamed
                            ? watch(scenario, agent, events)
                            : scenario.kind() == Kind.NETWORK
                                    ? agent.generateNetwork("Go", options -> heard(scenario, options, events))
                                    : agent.generate("Go", options -> heard(scenario, options, events)),
                    null,
                    events);
        } catch (RunFailedException e) {
            return new Ran(e.result(), null, events);
        } catch (RuntimeException e) {
            return new Ran(null, e, events);
        }
    }

    private static void heard(Scenario scenario, RunOptions.Builder options, List<RunEvent> events) {
        scenario.options(options);
        options.addListener(events::add);
    }

    @SuppressWarnings("deprecation") // networks fail as other runs do
    private static RunResult watch(Scenario scenario, Agent agent, List<RunEvent> events) {
        try (RunStream run = scenario.kind() == Kind.NETWORK
                ? agent.network("Go", scenario::options)
                : agent.stream("Go", scenario::options)) {
            run.forEach(events::add);
            return run.result();
        }
    }
}
