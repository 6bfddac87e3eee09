package dev.chargehand.event;

import dev.chargehand.run.AgentPath;

/** What an event tells of in a network; it decides the event's name on the wire. */
public enum NetworkPart {
    /** Of the router, or of what becomes of its decisions. */
    ROUTING,
    /** Of what a chosen sub-agent does: its own events, and those of everything below it. */
    PRIMITIVE;

    /** Returns the part of an agent in a network. */
    public static NetworkPart of(AgentPath path) {
        return path.isRoot() ? ROUTING : PRIMITIVE;
    }
}
