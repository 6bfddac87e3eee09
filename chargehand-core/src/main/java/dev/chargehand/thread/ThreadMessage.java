package dev.chargehand.thread;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A message of a stored thread, with its place.
 *
 * @param position its place in the thread, from 0; it never changes, and no message is at the place of a deleted one
 * @param message what was said
 * @param at when it was stored; empty if an earlier version stored it
 */
public record ThreadMessage(long position, Message message, Optional<Instant> at) {

    /** Return who speaks. */
    public Role role() {
        return message.role();
    }

    /** Return the text parts, joined; see {@link Message#text}. */
    public String text() {
        return message.text();
    }

    /** Return what is said, in order. */
    public List<Part> parts() {
        return message.parts();
    }

    /**
     * Return the run that stored it first. A copy of a thread keeps it, since the messages are of that run.
     *
     * @return empty if the message was brought from elsewhere
     */
    public Optional<RunId> runId() {
        int dot = message.id().indexOf('.');
        return dot <= 0 ? Optional.empty() : Optional.of(new RunId(message.id().substring(0, dot)));
    }
}
