package dev.chargehand.internal.engine.idle;

import dev.chargehand.event.RunEvent;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The events of an until-idle call, which are taken one by one. Used by one thread. */
final class TakenEvents implements Iterator<RunEvent> {

    private final Source source;
    private @Nullable RunEvent ready;

    /** Where they come from. */
    @FunctionalInterface
    interface Source {

        /** Return the next event, waiting for it; null if there are no more. */
        @Nullable
        RunEvent take();
    }

    TakenEvents(Source source) {
        this.source = source;
    }

    @Override
    public boolean hasNext() {
        if (ready == null) {
            ready = source.take();
        }
        return ready != null;
    }

    @Override
    public RunEvent next() {
        RunEvent event = hasNext() ? ready : null;
        if (event == null) {
            throw new NoSuchElementException("The call is over; there are no more events.");
        }
        ready = null;
        return event;
    }
}
