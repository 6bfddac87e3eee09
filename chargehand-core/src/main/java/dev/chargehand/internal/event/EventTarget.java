package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a root run and all its descendants put their events. */
public interface EventTarget {

    /** Return whether there is a reader: without one, no event is made. */
    boolean hasReaders();

    /**
     * Put an event, which gets its id, and the time of its fact or, if it is provisional, that of now.
     *
     * @param by the run that reports it
     * @param slot the place among the events of the fact that the run reports, or null if the event is provisional
     * @param index which one of several events of that slot
     */
    void emit(RunEvents by, int step, @Nullable Slot slot, int index, Function<Origin, RunEvent> event);

    /**
     * Put a provisional event of an open step, which is kept until the step is answered, for readers that join later.
     */
    default void emitOfStep(RunEvents by, int step, Function<Origin, RunEvent> event) {
        emit(by, step, null, 0, event);
    }

    /**
     * Put a delta of an open step, whose text is kept until the step is answered, for readers that join later.
     *
     * @param id what the texts of deltas that belong together have in common
     */
    default void emitDelta(RunEvents by, int step, String id, String more, BiFunction<Origin, String, RunEvent> delta) {
        emit(by, step, null, 0, origin -> delta.apply(origin, more));
    }

    /** Put all that an action emits at once: readers are woken when it ends. */
    default void emitTogether(Runnable action) {
        emitQuietly(action);
        wakeReaders();
    }

    /**
     * Put all that an action emits at once. Readers are woken later: when the thread that emitted it calls {@link #wakeReaders}, which
     * it does before it waits, or when anything else is emitted.
     */
    default void emitQuietly(Runnable action) {
        action.run();
    }

    /** Wake the readers of what was emitted quietly. */
    default void wakeReaders() {}

    /** Forget what is kept of the open step of a run. */
    default void forgetStep(RunEvents by) {}

    /** Note that all events of a fact were put; 0 stands for a fact that is not stored. */
    void passed(long position);
}
