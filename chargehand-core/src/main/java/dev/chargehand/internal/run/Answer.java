package dev.chargehand.internal.run;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * An answer on its way down a tree that is taken up because of it.
 *
 * @param runId the run whose call it answers
 * @param path that run and all above it
 * @param fact makes the fact that puts it on record
 * @param recorded whether it is on record: a run that is cancelled first ends without it
 */
record Answer(RunId runId, Set<RunId> path, Function<Instant, Fact.CallDecided> fact, AtomicBoolean recorded) {

    Answer {
        path = Set.copyOf(path);
    }

    /** Makes an answer that is not on record yet. */
    Answer(RunId runId, Set<RunId> path, Function<Instant, Fact.CallDecided> fact) {
        this(runId, path, fact, new AtomicBoolean());
    }
}
