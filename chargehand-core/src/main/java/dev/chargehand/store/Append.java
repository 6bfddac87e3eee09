package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Facts and messages that are stored together or not at all.
 *
 * <p>Made by {@link #start} for the first facts of a run, by {@link #to} for later ones. Immutable; every method with
 * an argument returns a changed copy.
 */
public final class Append {
    private final RunId runId;
    private final RunId rootRunId;
    private final long epoch;
    private final long expectedLength;
    private final List<FactEntry> facts;
    private final @Nullable RunRecord newRun;
    private final Rest rest;

    private Append(
            RunId runId,
            RunId rootRunId,
            long epoch,
            long expectedLength,
            List<FactEntry> facts,
            @Nullable RunRecord newRun,
            Rest rest) {
        this.runId = runId;
        this.rootRunId = rootRunId;
        this.epoch = epoch;
        this.expectedLength = expectedLength;
        this.facts = List.copyOf(facts);
        this.newRun = newRun;
        this.rest = rest;
    }

    /**
     * Create the append of a run's first facts, at the time, in the epoch and with the status of the run's record. The
     * record of a nested run has the epoch of its root run.
     */
    public static Append start(RunRecord newRun, List<FactEntry> facts) {
        return new Append(
                newRun.runId(),
                newRun.rootRunId(),
                newRun.epoch(),
                0,
                facts,
                newRun,
                new Rest(newRun.status(), newRun.startedAt()));
    }

    /**
     * Create an append to a run that is stored. The run waits for no decision after it and does not take its thread. It
     * is a root run unless {@link #rootRunId(RunId)} names another.
     *
     * @param runId the run
     * @param epoch the writer's epoch of the root run; an older one than the store's is rejected
     * @param expectedLength the number of facts that the writer knows of; another number is rejected
     * @param facts the facts, in order
     * @param status the run's status after them
     * @param at when they happened
     */
    public static Append to(
            RunId runId, long epoch, long expectedLength, List<FactEntry> facts, RunStatus status, Instant at) {
        return new Append(runId, runId, epoch, expectedLength, facts, null, new Rest(status, at));
    }

    private Append with(Consumer<Rest> change) {
        Rest changed = new Rest(rest);
        change.accept(changed);
        return new Append(runId, rootRunId, epoch, expectedLength, facts, newRun, changed);
    }

    /** Return the run. */
    public RunId runId() {
        return runId;
    }

    /** Return the root run of the run's tree; the run itself if it is a root run. */
    public RunId rootRunId() {
        return rootRunId;
    }

    /** Return whether the run is a root run. */
    public boolean isRoot() {
        return runId.equals(rootRunId);
    }

    /** Return the writer's epoch of the root run; another one than the store's is rejected. */
    public long epoch() {
        return epoch;
    }

    /** Return the number of facts that the writer knows of; another number is rejected. */
    public long expectedLength() {
        return expectedLength;
    }

    /** Return the facts, in order. */
    public List<FactEntry> facts() {
        return facts;
    }

    /** Return the run's record if these are its first facts; the store takes its ids and owner from it. */
    public Optional<RunRecord> newRun() {
        return Optional.ofNullable(newRun);
    }

    /** Return the run's status after the facts. */
    public RunStatus status() {
        return rest.status;
    }

    /** Return when the facts happened. */
    public Instant at() {
        return rest.at;
    }

    /** Return when the first decision that the run waits for expires; empty if it waits for none. */
    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(rest.expiresAt);
    }

    /**
     * Return whether the run starts or is resumed by these facts and takes its thread, if it has one: it is rejected
     * while another root run has the thread. Any other append sets the attempts to wake the tree back to zero.
     */
    public boolean takesThread() {
        return rest.takesThread;
    }

    /** Return the messages to append to threads. */
    public List<ThreadAppend> threads() {
        return rest.threads;
    }

    /**
     * Return how the run stands after these facts. If the first append of a run has no summary, what is derived from
     * its facts is not complete, as in a run of an earlier version: {@link Store#index} stores it later.
     */
    public Optional<RunSummary> summary() {
        return Optional.ofNullable(rest.summary);
    }

    /** Return the key by which a repeated call finds the run, if it starts with one. */
    public Optional<IdempotencyKey> idempotencyKey() {
        return Optional.ofNullable(rest.idempotencyKey);
    }

    /** Return the calls of the run that wait from now on. */
    public List<WaitingCall> waits() {
        return rest.waits;
    }

    /** Return the ids of the calls of the run that do not wait any more. */
    public List<String> waitsOver() {
        return rest.waitsOver;
    }

    /** Return the ids of the deliveries to the run that are read with these facts. */
    public List<String> drains() {
        return rest.drains;
    }

    /** Return the background tasks whose results the run gives to its model with these facts. */
    public List<RunId> results() {
        return rest.results;
    }

    /** Return what the end of the run changes for the run that it is a background task of. */
    public Optional<TaskEnd> taskEnd() {
        return Optional.ofNullable(rest.taskEnd);
    }

    /** Return another root run that is submitted with these facts. */
    public Optional<Next> next() {
        return Optional.ofNullable(rest.next);
    }

    /** Return whether other processes may have something to do because of it: it submits a run, or delivers something. */
    public boolean isForOthers() {
        return rest.status == RunStatus.PENDING || rest.taskEnd != null || rest.next != null;
    }

    /** Return whether the append is rejected while a message to the run has not been read. Default: false. */
    public boolean readsAllMessages() {
        return rest.readsAllMessages;
    }

    /**
     * Return whether the facts must survive a power cut of the machine, and not only the end of the process. A store
     * that writes everything so, or nothing, may ignore it. Default: true.
     */
    public boolean durable() {
        return rest.durable;
    }

    /** Return this append to a nested run of the tree of that root run. */
    @CheckReturnValue
    public Append rootRunId(RunId value) {
        return new Append(runId, value, epoch, expectedLength, facts, newRun, rest);
    }

    /** Return this append with another status of the run after it. */
    @CheckReturnValue
    public Append status(RunStatus value) {
        return rest.status == value ? this : with(changed -> changed.status = value);
    }

    /** Return this append with another time of its facts. */
    @CheckReturnValue
    public Append at(Instant value) {
        return Objects.equals(rest.at, value) ? this : with(changed -> changed.at = value);
    }

    /** Return this append after which the run waits for decisions, of which the first expires then; null for none. */
    @CheckReturnValue
    public Append expiresAt(@Nullable Instant value) {
        return Objects.equals(rest.expiresAt, value) ? this : with(changed -> changed.expiresAt = value);
    }

    /** Return this append by which the run takes its thread, or does not. */
    @CheckReturnValue
    public Append takesThread(boolean value) {
        return rest.takesThread == value ? this : with(changed -> changed.takesThread = value);
    }

    /** Return this append with these messages instead of its own. */
    @CheckReturnValue
    public Append threads(List<ThreadAppend> values) {
        return rest.threads.equals(values) ? this : with(changed -> changed.threads = List.copyOf(values));
    }

    /** Return this append after which the run stands so. */
    @CheckReturnValue
    public Append summary(RunSummary value) {
        return Objects.equals(rest.summary, value) ? this : with(changed -> changed.summary = value);
    }

    /** Return this first append of a run by whose key a repeated call finds it; null for none. */
    @CheckReturnValue
    public Append idempotencyKey(@Nullable IdempotencyKey value) {
        return Objects.equals(rest.idempotencyKey, value) ? this : with(changed -> changed.idempotencyKey = value);
    }

    /** Return this append after which these calls wait. */
    @CheckReturnValue
    public Append waits(List<WaitingCall> values) {
        return rest.waits.equals(values) ? this : with(changed -> changed.waits = List.copyOf(values));
    }

    /** Return this append after which these calls do not wait. */
    @CheckReturnValue
    public Append waitsOver(List<String> callIds) {
        return rest.waitsOver.equals(callIds) ? this : with(changed -> changed.waitsOver = List.copyOf(callIds));
    }

    /** Return this append by which these deliveries are read. */
    @CheckReturnValue
    public Append drains(List<String> deliveryIds) {
        return rest.drains.equals(deliveryIds) ? this : with(changed -> changed.drains = List.copyOf(deliveryIds));
    }

    /** Return this append by which the run gives the results of these background tasks to its model. */
    @CheckReturnValue
    public Append results(List<RunId> taskIds) {
        return rest.results.equals(taskIds) ? this : with(changed -> changed.results = List.copyOf(taskIds));
    }

    /** Return this last append of a background task, or of none. */
    @CheckReturnValue
    public Append taskEnd(@Nullable TaskEnd value) {
        return Objects.equals(rest.taskEnd, value) ? this : with(changed -> changed.taskEnd = value);
    }

    /** Return this append that submits another root run, or none. */
    @CheckReturnValue
    public Append next(@Nullable Next value) {
        return Objects.equals(rest.next, value) ? this : with(changed -> changed.next = value);
    }

    /** Return this append that is rejected, or is not, while a message to the run has not been read. */
    @CheckReturnValue
    public Append readsAllMessages(boolean value) {
        return rest.readsAllMessages == value ? this : with(changed -> changed.readsAllMessages = value);
    }

    /** Return this append as one that must survive a power cut, or need not. */
    @CheckReturnValue
    public Append durable(boolean value) {
        return rest.durable == value ? this : with(changed -> changed.durable = value);
    }

    @Override
    public String toString() {
        return "Append[" + facts.size() + " facts to run " + runId + " after " + expectedLength + ", epoch " + epoch
                + "]";
    }

    /**
     * What finds the run that a call has started, when the call is repeated.
     *
     * @param id the digest of all that the key counts for, such as the agent and the requester
     * @param digest the digest of the input of the call
     */
    public record IdempotencyKey(String id, String digest) {

        /** How long a key counts. */
        public static final Duration VALIDITY = Duration.ofHours(24);

        /** How many keys that count no more an append with a key deletes at most. */
        public static final int MOST_DELETED = 10;
    }

    /**
     * What the end of a background task changes elsewhere.
     *
     * @param taskId the task: the run of its first attempt, whose record gets the place of the result
     * @param message the result, for the thread of the run that started the task; left out if the thread is missing or
     *     belongs to another owner
     * @param delivery says it to that run; not stored if the run has ended
     */
    public record TaskEnd(RunId taskId, ThreadAppend message, Delivery delivery) {}

    /**
     * Another root run that an append submits: the next attempt of a task, or the next turn of an until-idle call. A turn is left out
     * unless the one before has ended with an answer, complete or not, a result of an until-idle call is unread on the thread, and
     * no other such turn is pending there.
     *
     * @param start its first facts
     * @param notBefore when it is due
     * @param turnAfter the turn before, which may be the run of the append; null for an attempt
     */
    public record Next(
            Append start, Instant notBefore, @Nullable RunId turnAfter) {}

    /** What may be set after an append is made; changed only before the append has it. */
    private static final class Rest {
        RunStatus status;
        Instant at;

        @Nullable
        Instant expiresAt;

        boolean takesThread;
        List<ThreadAppend> threads = List.of();
        List<WaitingCall> waits = List.of();
        List<String> waitsOver = List.of();
        List<String> drains = List.of();
        boolean readsAllMessages;
        List<RunId> results = List.of();

        @Nullable
        TaskEnd taskEnd;

        @Nullable
        Next next;

        @Nullable
        IdempotencyKey idempotencyKey;

        @Nullable
        RunSummary summary;

        boolean durable = true;

        Rest(RunStatus status, Instant at) {
            this.status = status;
            this.at = at;
        }

        Rest(Rest other) {
            status = other.status;
            at = other.at;
            expiresAt = other.expiresAt;
            takesThread = other.takesThread;
            threads = other.threads;
            waits = other.waits;
            waitsOver = other.waitsOver;
            drains = other.drains;
            readsAllMessages = other.readsAllMessages;
            results = other.results;
            taskEnd = other.taskEnd;
            next = other.next;
            idempotencyKey = other.idempotencyKey;
            summary = other.summary;
            durable = other.durable;
        }
    }
}
