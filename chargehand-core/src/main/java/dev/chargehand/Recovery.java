package dev.chargehand;

import dev.chargehand.internal.engine.resume.RunRecovery;
import dev.chargehand.run.RunId;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The runs that {@code recover()} of a runtime resumed, and those that it did not. */
public final class Recovery {

    private final RunRecovery.Recovered recovered;

    Recovery(RunRecovery.Recovered recovered) {
        this.recovered = recovered;
    }

    /** Return the runs that continue, with background tasks that do as soon as a place is free for them. */
    public Set<RunId> runIds() {
        return recovered.resumed().keySet();
    }

    /** Return the runs that were left alone because their agents were not given to the runtime. */
    public List<RunId> withoutAgent() {
        return recovered.withoutAgent();
    }

    /**
     * Return the runs that were left alone because they, or their nested runs, were started with a version of an agent that was not given
     * to the runtime.
     */
    public List<RunId> withoutVersion() {
        return recovered.withoutVersion();
    }

    /** Return the runs of workflows that were left alone because the workflow was not given to the runtime in their version. */
    public List<RunId> withoutDefinition() {
        return recovered.withoutDefinition();
    }

    /** Return the runs of workflows that were left alone because an entry that they have reached differs today. */
    public List<RunId> changed() {
        return recovered.changed();
    }

    /** Return the runs that were left alone because they were started with hooks that are not here. */
    public List<RunId> withoutHooks() {
        return recovered.withoutHooks();
    }

    /**
     * Return the runs that were left alone because they made no progress when they were resumed ten times; {@code
     * resume} tries again.
     */
    public List<RunId> stuck() {
        return recovered.stuck();
    }

    /**
     * Return the runs that were left alone because the store took too long to claim them, for example since a process that is
     * stopped in the middle of a transaction holds the row of its run; a later {@code recover()} tries again.
     */
    public List<RunId> timedOut() {
        return recovered.timedOut();
    }

    /**
     * Wait until all of them have ended or are suspended; a failed run gives its partial result. A task that waited for a place, and is not
     * executed here after all, has no result: another process has taken it, or it could not be resumed, which is logged.
     */
    public List<RunResult> await() {
        return recovered.await();
    }

    /** Return how many runs each of its lists has, and the first of them. */
    @Override
    public String toString() {
        return "Recovery[" + named("runIds", runIds()) + ", " + named("withoutAgent", withoutAgent()) + ", "
                + named("withoutVersion", withoutVersion()) + ", " + named("withoutDefinition", withoutDefinition())
                + ", " + named("changed", changed()) + ", " + named("withoutHooks", withoutHooks()) + ", "
                + named("stuck", stuck()) + ", " + named("timedOut", timedOut()) + "]";
    }

    private static String named(String list, Collection<RunId> runs) {
        return list + "=" + runs.size() + (runs.isEmpty() ? "" : " (" + RunRecovery.firstOf(runs) + ")");
    }
}
