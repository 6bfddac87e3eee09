package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one run reports, under its own path, straight into the root's sink.
 *
 * @param sink where to, or null if there are no listeners
 * @param runId the run
 * @param path its agent
 */
public record RunEvents(@Nullable EventTarget sink, RunId runId, AgentPath path) {

    /** Return whether there are listeners. */
    public boolean areHeard() {
        return sink != null;
    }

    /** Emit an event of a step, if there are listeners. */
    public void emit(int step, Function<Origin, RunEvent> event) {
        if (sink != null) {
            sink.emit(runId, path, step, event);
        }
    }
}
