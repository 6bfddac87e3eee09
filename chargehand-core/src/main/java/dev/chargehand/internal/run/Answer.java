package dev.chargehand.internal.run;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;

/**
 * An answer on its way down a tree that is taken up because of it.
 *
 * @param runId the run whose call it answers
 * @param path that run and all above it
 * @param fact makes the fact that puts it on record
 */
record Answer(RunId runId, Set<RunId> path, Function<Instant, Fact.CallDecided> fact) {

    Answer {
        path = Set.copyOf(path);
    }
}
