package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.util.function.Function;

/** Where a root run and all its descendants put their events. */
public interface EventTarget {

    /** Put an event, which is given its id and its time. */
    void emit(RunId runId, AgentPath path, int step, Function<Origin, RunEvent> event);
}
