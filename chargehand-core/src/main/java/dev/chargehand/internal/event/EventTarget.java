package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a root run and all its descendants put their events. */
public interface EventTarget {

    /** Return whether there is a reader: without one, no event is made. */
    boolean isHeard();

    /**
     * Put an event, which gets its id and its time.
     *
     * @param by the run that reports it
     * @param slot the place among the events of the fact that the run reports, or null if the event is provisional
     * @param index which one of several events of that slot
     */
    void emit(RunEvents by, int step, @Nullable Slot slot, int index, Function<Origin, RunEvent> event);

    /** Note that all events of a fact were put; 0 stands for a fact that is not stored. */
    void passed(long position);
}
