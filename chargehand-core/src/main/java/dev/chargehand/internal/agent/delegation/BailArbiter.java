package dev.chargehand.internal.agent.delegation;

import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of one step that are executed side by side, and which of them bail, in what order.
 *
 * <p>The first bail ends what the settings let it end: calls that have not started, and, if siblings are cancelled,
 * those that have. Thread-safe: several calls may bail at the same moment, and exactly one of them is the first.
 */
public final class BailArbiter implements AutoCloseable {

    /** What cancels a call that a sibling's bail made pointless. */
    public static final String BAIL = "bail";

    private final Cancellation run;
    private final boolean cancelsOthers;
    private final boolean firstWins;
    private final boolean hasParts;
    private final AtomicInteger bails;
    private final Map<String, Cancellation> parts;
    private final List<Cancellation.Registration> ties;
    private volatile boolean cancelled;
    private boolean decided;
    private volatile boolean failed;

    /**
     * Make the siblings of a step.
     *
     * @param earlier how many calls of the step have bailed already, before a crash
     * @param cancelsOthers whether the first bail cancels the calls that have started
     * @param firstWins whether a later bail changes nothing
     */
    public BailArbiter(Cancellation run, int earlier, boolean cancelsOthers, boolean firstWins) {
        this(run, earlier, cancelsOthers, firstWins, false);
    }

    /**
     * Make the siblings of a step.
     *
     * @param cancellable whether the calls can be cancelled by a failure too
     */
    public BailArbiter(Cancellation run, int earlier, boolean cancelsOthers, boolean firstWins, boolean cancellable) {
        this.run = run;
        this.bails = new AtomicInteger(earlier);
        this.cancelsOthers = cancelsOthers;
        this.firstWins = firstWins;
        this.hasParts = cancelsOthers || cancellable;
        this.parts = hasParts ? new ConcurrentHashMap<>() : Map.of();
        this.ties = hasParts ? new CopyOnWriteArrayList<>() : List.of();
        this.cancelled = cancelsOthers && earlier > 0;
        this.decided = cancelled;
    }

    /** Return what ends a call: the end of the run, or a sibling's bail. */
    public Cancellation begin(String callId) {
        if (!hasParts) {
            return run;
        }
        Cancellation part = run.part(ties);
        parts.put(callId, part);
        if (cancelled) {
            end(part);
        }
        return part;
    }

    /** Bail; returns the place among the bails of the step, from 1. */
    public int bail(String callId) {
        int place = bails.incrementAndGet();
        if (cancelsOthers && place == 1) {
            cancelled = true;
            parts.forEach((id, part) -> {
                if (!id.equals(callId)) {
                    end(part);
                }
            });
        }
        return place;
    }

    /** Cancel, on the run's own thread, all calls, since one has failed. */
    public void cancelAfterFailure() {
        failed = true;
        decided = true;
        cancelled = true;
        parts.values().forEach(BailArbiter::end);
    }

    /** Return whether a failure has cancelled the calls. */
    public boolean areCancelledByFailure() {
        return failed;
    }

    private static void end(Cancellation part) {
        part.cancel(new StopReason.Cancelled(BAIL));
    }

    /** Hear on the run's own thread of a call that is over. */
    public void over(Fact.CallClosed end) {
        decided |= end.hasBailed() && (cancelsOthers || firstWins);
    }

    /**
     * Report on the run's own thread whether a bail, or a failure that cancels, makes a call that has not started pointless. Only bails that the
     * run has received count, so that the speed of threads changes nothing.
     */
    public boolean areDecided() {
        return decided;
    }

    /** Cut the ties to the run. */
    @Override
    public void close() {
        for (Cancellation.Registration tie : ties) {
            tie.close();
        }
    }
}
