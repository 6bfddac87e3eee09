package dev.chargehand.event;

import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Instant;

/**
 * The place and time of an event.
 *
 * @param id unique within the stream and growing with it
 * @param runId the run it is about, which may be a nested one
 * @param path the agent it is about, from the root
 * @param step the step it belongs to, from 1; 0 before the first
 * @param time when it happened
 * @param network whether the root run is a network, so that the event has a name of networks
 */
public record Origin(long id, RunId runId, AgentPath path, int step, Instant time, boolean network) {

    /** Make the origin of an event that is not of a network. */
    public Origin(long id, RunId runId, AgentPath path, int step, Instant time) {
        this(id, runId, path, step, time, false);
    }
}
