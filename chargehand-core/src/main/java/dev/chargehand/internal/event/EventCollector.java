package dev.chargehand.internal.event;

import dev.chargehand.event.EventId;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects the events of facts that were stored before, at the times of the facts. Used by one thread. */
public final class EventCollector implements EventTarget {

    private final List<RunEvent> events = new ArrayList<>();
    private Instant at = Instant.EPOCH;
    private boolean network;
    private int withoutPosition;
    private final String tenantId;

    /** Collect the events of runs of a tenant. */
    public EventCollector(String tenantId) {
        this.tenantId = tenantId;
    }

    /** Set the time of the following events. */
    public void at(Instant when) {
        this.at = when;
    }

    /** Set whether the root run is a network. */
    public void network(boolean is) {
        this.network = is;
    }

    @Override
    public boolean hasReaders() {
        return true;
    }

    @Override
    public void emit(RunEvents by, int step, @Nullable Slot slot, int index, Function<Origin, RunEvent> event) {
        Optional<EventId> id = slot == null ? Optional.empty() : Optional.of(id(by, slot, index));
        events.add(event.apply(new Origin(id, by.runId(), by.path(), step, at, network, tenantId)));
    }

    /** Facts of an earlier version have no position; their events are counted. */
    private EventId id(RunEvents by, Slot slot, int index) {
        return by.fact() == 0 ? new EventId(0, ++withoutPosition) : slot.of(by.fact(), index);
    }

    @Override
    public void passed(long position) {}

    /** Return the events so far, once. */
    public List<RunEvent> drain() {
        List<RunEvent> drained = List.copyOf(events);
        events.clear();
        return drained;
    }
}
