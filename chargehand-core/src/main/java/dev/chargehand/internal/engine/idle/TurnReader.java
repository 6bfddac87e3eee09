package dev.chargehand.internal.engine.idle;

import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Reads the events of one turn on a thread of its own, so that its reader receives those of tasks meanwhile. Thread-safe. */
final class TurnReader {

    private final RunStream turn;
    private final Iterator<RunEvent> events;
    private final IdleArrivals arrivals;
    private final Thread thread;
    private volatile boolean over;
    private volatile @Nullable RuntimeException failure;

    private TurnReader(RunStream turn, Iterator<RunEvent> events, IdleArrivals arrivals) {
        this.turn = turn;
        this.events = events;
        this.arrivals = arrivals;
        this.thread = Thread.ofVirtual().name("turn " + turn.runId()).unstarted(this::read);
    }

    /** Start to read a turn. */
    static TurnReader start(RunStream turn, IdleArrivals arrivals) {
        return started(new TurnReader(turn, turn.iterator(), arrivals));
    }

    /** Continue after a failure. */
    TurnReader again() {
        return started(new TurnReader(turn, events, arrivals));
    }

    private static TurnReader started(TurnReader reader) {
        reader.thread.start();
        return reader;
    }

    private void read() {
        try {
            boolean wanted = true;
            while (wanted && events.hasNext()) {
                wanted = arrivals.putOfTurn(events.next());
            }
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            over = true;
            arrivals.wake();
        }
    }

    /** Return the turn. */
    RunStream turn() {
        return turn;
    }

    /** Return whether all its events have arrived, or it could not be read further. */
    boolean isOver() {
        return over;
    }

    /** Return why it could not be read further; null if it could. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** Interrupt the reading, as if the caller's thread did it: the turn is cancelled if it depends on its reader. */
    void interrupt() {
        thread.interrupt();
    }
}
