package dev.chargehand.server.internal.wire;

import dev.chargehand.event.RunEvent;
import java.util.List;

/** Writes the events of one run and its nested runs in the form of a wire. It calls no runtime. Used by one thread. */
public interface Encoder {

    /** Return what is sent for an event; nothing after {@link #isDone()}. */
    List<Frame> encode(RunEvent event);

    /** Return whether the stream has ended. */
    boolean isDone();

    /** Return what ends the stream of a run that this process executes no longer, or of which it cannot read more. */
    List<Frame> released();
}
