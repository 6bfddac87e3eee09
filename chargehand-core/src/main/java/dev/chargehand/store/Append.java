package dev.chargehand.store;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Facts and messages that are stored together or not at all.
 *
 * @param runId the run
 * @param epoch the writer's epoch; an older one than the store's is refused
 * @param expectedLength the number of facts the writer knows of; another number is refused
 * @param facts the facts, in order
 * @param status where the run stands after them
 * @param at when they happened
 * @param newRun the run's record if these are its first facts, else null; the store takes its ids and owner from it
 * @param threads messages to append to threads
 */
public record Append(
        RunId runId,
        long epoch,
        long expectedLength,
        List<FactEntry> facts,
        RunStatus status,
        Instant at,
        @Nullable RunRecord newRun,
        List<ThreadAppend> threads) {

    public Append {
        facts = List.copyOf(facts);
        threads = List.copyOf(threads);
    }
}
