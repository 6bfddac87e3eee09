package dev.chargehand.internal.engine.idle;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunListener;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Has the events of the tasks of an until-idle call arrive. Used by the thread that reads the call, unless said otherwise. */
abstract class TaskArrivals {

    private final OtherProcesses others;
    final IdleArrivals arrivals;

    TaskArrivals(OtherProcesses others, IdleArrivals arrivals) {
        this.others = others;
        this.arrivals = arrivals;
    }

    OtherProcesses others() {
        return others;
    }

    /** Return what receives the events of tasks that this process executes, on their threads. */
    abstract RunListener listener();

    /** Note that this process is about to execute a task. Thread-safe. */
    abstract void starts(RunId run, AgentPath path);

    /**
     * Read what the store has of tasks that this process does not execute.
     *
     * @param attempts the runs of all tasks
     */
    abstract void read(List<RunRecord> attempts);

    /**
     * Have the next event arrive that is here and waits to be read, if none has arrived.
     *
     * @throws StoreException if it cannot be read now
     */
    abstract void next();

    /** Do the same; return false if it cannot be read now. */
    boolean nextIfReadable() {
        try {
            next();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    /** Read nothing more. Thread-safe. */
    abstract void close();

    /**
     * Return whether this process has executed one of some tasks, and has not left it: its last events are to come. A task that it
     * has lost to another process is not waited for; a store that has forgotten one has it from this process.
     */
    boolean areToCome(SeenTasks tasks, List<RunRecord> attempts) {
        Map<RunId, RunRecord> stored = new HashMap<>();
        attempts.forEach(run -> stored.put(run.runId(), run));
        return tasks.anyRun(id -> {
            RunRecord run = stored.get(id);
            return others.isAtWork(id) && (run == null || others.owns(run));
        });
    }
}
