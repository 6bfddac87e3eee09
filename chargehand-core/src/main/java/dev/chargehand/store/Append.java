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
 * @param expiresAt when the first answer the run waits for expires; null if it waits for none
 * @param takesThread whether the run takes its thread: it is refused while another root run has the thread
 * @param newRun the run's record if these are its first facts, else null; the store takes its ids and owner from it
 * @param threads messages to append to threads
 * @param durable whether they must survive a power cut of the machine, and not only the end of the process; a store that
 *     writes everything so, or nothing, need not look at it
 */
public record Append(
        RunId runId,
        long epoch,
        long expectedLength,
        List<FactEntry> facts,
        RunStatus status,
        Instant at,
        @Nullable Instant expiresAt,
        boolean takesThread,
        @Nullable RunRecord newRun,
        List<ThreadAppend> threads,
        boolean durable) {

    public Append {
        facts = List.copyOf(facts);
        threads = List.copyOf(threads);
    }

    /** Makes an append that must survive a power cut. */
    public Append(
            RunId runId,
            long epoch,
            long expectedLength,
            List<FactEntry> facts,
            RunStatus status,
            Instant at,
            @Nullable Instant expiresAt,
            boolean takesThread,
            @Nullable RunRecord newRun,
            List<ThreadAppend> threads) {
        this(runId, epoch, expectedLength, facts, status, at, expiresAt, takesThread, newRun, threads, true);
    }

    /** Makes an append of a run that waits for no answer, and that does not take its thread; it must survive a power cut. */
    public Append(
            RunId runId,
            long epoch,
            long expectedLength,
            List<FactEntry> facts,
            RunStatus status,
            Instant at,
            @Nullable RunRecord newRun,
            List<ThreadAppend> threads) {
        this(runId, epoch, expectedLength, facts, status, at, null, false, newRun, threads);
    }

    /** Returns this append after which the run waits for answers, of which the first expires then; null for none. */
    public Append expiresAt(@Nullable Instant value) {
        return new Append(
                runId, epoch, expectedLength, facts, status, at, value, takesThread, newRun, threads, durable);
    }

    /** Returns this append by which the run takes its thread, or does not. */
    public Append takesThread(boolean value) {
        return new Append(runId, epoch, expectedLength, facts, status, at, expiresAt, value, newRun, threads, durable);
    }

    /** Returns this append with other messages. */
    public Append threads(List<ThreadAppend> values) {
        return new Append(
                runId, epoch, expectedLength, facts, status, at, expiresAt, takesThread, newRun, values, durable);
    }

    /** Returns this append as one that must survive a power cut, or need not. */
    public Append durable(boolean value) {
        return new Append(
                runId, epoch, expectedLength, facts, status, at, expiresAt, takesThread, newRun, threads, value);
    }
}
