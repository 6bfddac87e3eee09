package dev.chargehand.internal.stream;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one run tells, under its own path, straight into the root's sink.
 *
 * @param sink where to, or null if nobody listens
 * @param runId the run
 * @param path its agent
 */
public record RunEvents(@Nullable EventTarget sink, RunId runId, AgentPath path) {

    /** Tells whether anybody listens. */
    public boolean areHeard() {
        return sink != null;
    }

    /** Tells an event of a step, if anybody listens. */
    public void tell(int step, Function<Origin, RunEvent> event) {
        if (sink != null) {
            sink.emit(runId, path, step, event);
        }
    }
}
