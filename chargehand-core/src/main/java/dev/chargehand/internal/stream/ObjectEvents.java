package dev.chargehand.internal.stream;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.PartialJsonReader;

/** Tells the object that the text of one answer is, while it is arriving. Used by one thread at a time. */
public final class ObjectEvents {

    private final RunEvents events;
    private final int step;
    private final PartialJsonReader reader = new PartialJsonReader();

    /** Begins an answer of a step. */
    public ObjectEvents(RunEvents events, int step) {
        this.events = events;
        this.step = step;
    }

    /** Tells what the object is with more of the text. */
    void tell(String more) {
        if (events.areHeard()) {
            reader.read(more).ifPresent(object -> events.tell(step, o -> new RunEvent.PartialObject(o, object)));
        }
    }
}
