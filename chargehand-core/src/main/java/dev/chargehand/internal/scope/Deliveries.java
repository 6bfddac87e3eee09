package dev.chargehand.internal.scope;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery;
import java.util.List;

/** What others send to the runs of a tree while it is live. Thread-safe. */
public interface Deliveries {

    /** Return the deliveries to a run that it has not read, in order. */
    List<Delivery> to(RunId runId);

    /** Return whether a message to a run is among them. */
    boolean hasMessages(RunId runId);

    /** Return whether a run or one of its descendants has to be resumed because of a delivery. */
    boolean wakes(RunId runId);

    /** Return whether no run has given the result of a background task to a model; reads the store. */
    boolean isUnread(RunId taskId);

    /** Read the inbox of the tree in the store. */
    void refresh();

    /** Note that a delivery was read, and whether it takes effect by a fact; both will be stored next. */
    void read(Delivery delivery, boolean takesEffect);

    /** Call a listener after every arrival of deliveries to the tree, until the listening is closed. */
    Listening listen(Runnable onArrival);

    /** Ends a listening. */
    @FunctionalInterface
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }
}
