package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Collects the events of facts that were stored before, at the times of the facts. Used by one thread. */
public final class EventCollector implements EventTarget {

    private final List<RunEvent> events = new ArrayList<>();
    private Instant at = Instant.EPOCH;
    private boolean network;

    /** Set the time of the following events. */
    public void at(Instant when) {
        this.at = when;
    }

    /** Set whether the root run is a network. */
    public void network(boolean is) {
        this.network = is;
    }

    @Override
    public void emit(RunId runId, AgentPath path, int step, Function<Origin, RunEvent> event) {
        events.add(event.apply(new Origin(events.size() + 1L, runId, path, step, at, network)));
    }

    /** Return the events so far. */
    public List<RunEvent> events() {
        return List.copyOf(events);
    }
}
