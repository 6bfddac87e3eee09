package dev.chargehand.internal.event;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.text.PartialJsonReader;
import dev.chargehand.json.Json;
import java.util.Optional;

/** Reports the object that the text of one answer is, while it is arriving. Used by one thread at a time. */
public final class ObjectEvents {

    private final RunEvents events;
    private final int step;
    private final PartialJsonReader reader = new PartialJsonReader();

    /** Start an answer of a step. */
    public ObjectEvents(RunEvents events, int step) {
        this.events = events;
        this.step = step;
    }

    /** Report what the object is with more of the text. */
    void emit(String more) {
        if (events.hasReaders()) {
            reader.read(more)
                    .flatMap(ObjectEvents::value)
                    .ifPresent(object -> events.emit(step, o -> new RunEvent.PartialObject(o, object)));
        }
    }

    /**
     * A text that reads as JSON character by character may still be invalid as a whole, with a key given twice for
     * example.
     */
    private static Optional<Json> value(String text) {
        try {
            return Optional.of(Json.parse(text));
        } catch (InvalidJsonException e) {
            return Optional.empty();
        }
    }
}
