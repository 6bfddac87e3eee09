package dev.chargehand.event;

import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import java.time.Instant;
import java.util.Optional;

/**
 * The place and time of an event.
 *
 * @param id the place in the order of the tree of runs; empty if the event is <em>provisional</em>: no stored fact
 *     determines it
 * @param runId the run it is about, which may be a nested one
 * @param path the agent it is about, from the root
 * @param step the step it belongs to, from 1; 0 before the first
 * @param time when it happened: if it has an id, the time of its fact, which is the same for all readers; if it is
 *     provisional, when it was emitted. So times may go back from an event to the next by what it takes to store a fact
 * @param network whether the root run is a network, so that the event has a name of networks
 * @param tenantId the tenant that the run belongs to; in JSON, {@code tenantId} is absent for {@link Store#LOCAL}
 */
public record Origin(
        Optional<EventId> id, RunId runId, AgentPath path, int step, Instant time, boolean network, String tenantId) {

    /** Make the origin of a provisional event of the tenant {@code local} that is not of a network. */
    public Origin(RunId runId, AgentPath path, int step, Instant time) {
        this(Optional.empty(), runId, path, step, time, false, Store.LOCAL);
    }
}
