package dev.chargehand.internal.engine.idle;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * All events of the runs of tasks, whichever process executes them. Each run is read as {@code runtime.watch} reads it, by the thread of
 * the reader of the call, in turn with the others; so no run waits for that reader, and what waits for it is bounded.
 */
final class WholeTasks extends TaskArrivals {

    /** The runs that are read, the one whose turn it is first. */
    private final ArrayDeque<Reading> readings = new ArrayDeque<>();

    /** Those that are read or were. */
    private final Set<RunId> known = new HashSet<>();

    /** Those of which something has happened here. */
    private final Queue<Started> happened = new ConcurrentLinkedQueue<>();

    /** The readers that have not read a run to its end. */
    private final Set<TreeWatch> open = ConcurrentHashMap.newKeySet();

    private final RunListener listener;
    private volatile boolean closed;

    /** One run. */
    private static final class Reading {

        private final RunId run;
        private final TreeWatch events;

        /** Whether the store may have something that was not read; else it is not asked. */
        private boolean isDue = true;

        private Reading(RunId run, TreeWatch events) {
            this.run = run;
            this.events = events;
        }
    }

    private record Started(RunId run, AgentPath path) {}

    WholeTasks(OtherProcesses others, IdleArrivals arrivals) {
        super(others, arrivals);
        this.listener = this::happens;
    }

    @Override
    RunListener listener() {
        return listener;
    }

    /** An event that says how a task stands comes from the run of the task, which can be joined then. */
    private void happens(RunEvent event) {
        if (event instanceof BackgroundTaskEvent && !(event instanceof BackgroundTaskEvent.BackgroundTaskStarted)) {
            happened.add(new Started(event.runId(), event.origin().path()));
            arrivals.wake();
        }
    }

    @Override
    void starts(RunId run, AgentPath path) {
        others().expect(run, path);
    }

    @Override
    void read(List<RunRecord> attempts) {
        for (RunRecord run : attempts) {
            if (run.status() != RunStatus.PENDING) {
                open(run.runId(), AgentPath.parse(run.path()));
            }
        }
        Set<RunId> lost = attempts.stream()
                .filter(run -> !others().owns(run))
                .map(RunRecord::runId)
                .collect(Collectors.toSet());
        for (Reading reading : readings) {
            reading.isDue = true;
            if (lost.contains(reading.run)) {
                reading.events.lost();
            }
        }
    }

    private void open(RunId run, AgentPath path) {
        if (!known.contains(run)) {
            TreeWatch events = others().watchWhole(run, path);
            known.add(run);
            open.add(events);
            if (closed) {
                events.close();
            }
            events.onSignal(arrivals::wake);
            readings.add(new Reading(run, events));
        }
    }

    @Override
    void next() {
        for (Started start = happened.peek(); start != null; start = happened.peek()) {
            RunId run = start.run();
            open(run, start.path());
            readings.stream().filter(each -> each.run.equals(run)).forEach(each -> each.isDue = true);
            happened.remove();
        }
        for (int left = readings.size(); left > 0 && !arrivals.hasOfTask(); left--) {
            Reading reading = readings.remove();
            readings.add(reading);
            if (hasArrived(reading)) {
                arrivals.add(reading.events.iterator().next());
            }
            if (reading.events.isOver()) {
                open.remove(readings.removeLast().events);
            }
        }
    }

    /** A failure is not repeated before the next look. */
    private static boolean hasArrived(Reading reading) {
        if (!reading.isDue && !reading.events.isLive()) {
            return false;
        }
        try {
            boolean has = reading.events.hasArrived();
            reading.isDue = has;
            return has;
        } catch (StoreException e) {
            reading.isDue = false;
            throw e;
        }
    }

    @Override
    void close() {
        closed = true;
        open.forEach(TreeWatch::close);
    }
}
