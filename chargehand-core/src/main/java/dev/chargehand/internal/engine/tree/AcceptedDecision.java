package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * An answer on its way down a tree that is resumed because of it.
 *
 * @param runId the run whose call it answers
 * @param path that run and all above it
 * @param fact makes the fact that puts it stored
 * @param recorded whether it is stored: a run that is cancelled first ends without it
 */
public record AcceptedDecision(
        RunId runId, Set<RunId> path, Function<Instant, Fact.CallDecided> fact, AtomicBoolean recorded) {

    public AcceptedDecision {
        path = Set.copyOf(path);
    }

    /** Make an answer that is not stored yet. */
    public AcceptedDecision(RunId runId, Set<RunId> path, Function<Instant, Fact.CallDecided> fact) {
        this(runId, path, fact, new AtomicBoolean());
    }
}
