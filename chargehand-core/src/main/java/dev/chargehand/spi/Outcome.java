package dev.chargehand.spi;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a run or a call ended, as an {@link Instrumentation} sees it. Immutable and thread-safe. */
@Experimental
public final class Outcome {

    private static final Outcome SUCCEEDED = new Outcome(Kind.SUCCEEDED, null, null, null);
    private static final Outcome TIMED_OUT = new Outcome(Kind.TIMED_OUT, null, null, null);
    private static final Outcome CANCELLED = new Outcome(Kind.CANCELLED, null, null, null);
    private static final Outcome SUSPENDED = new Outcome(Kind.SUSPENDED, null, null, null);
    private static final Outcome RELEASED = new Outcome(Kind.RELEASED, null, null, null);

    private final Kind kind;
    private final @Nullable Throwable failure;
    private final @Nullable RunStatus runStatus;
    private final @Nullable StopReason stopReason;

    private Outcome(
            Kind kind, @Nullable Throwable failure, @Nullable RunStatus runStatus, @Nullable StopReason stopReason) {
        this.kind = kind;
        this.failure = failure;
        this.runStatus = runStatus;
        this.stopReason = stopReason;
    }

    /** The kind of an outcome. Later versions add kinds, so a {@code switch} needs a {@code default} branch. */
    public enum Kind {
        /** The call returned, or the run ended without an error; its answer may be incomplete. */
        SUCCEEDED,
        /** The call threw, or the run failed. */
        FAILED,
        /** The call took longer than its time limit and was abandoned; it may still be running. */
        TIMED_OUT,
        /** The run was cancelled. A call of it was abandoned and may still be running. */
        CANCELLED,
        /** The run, or the nested run of a delegation, waits for an approval or for data. */
        SUSPENDED,
        /** This process does not execute the run any more, which has not ended. A call of it was abandoned. */
        RELEASED
    }

    /** Return the outcome of a call that returned. */
    public static Outcome succeeded() {
        return SUCCEEDED;
    }

    /** Return the outcome of a call that threw. */
    public static Outcome failed(Throwable failure) {
        return new Outcome(Kind.FAILED, Objects.requireNonNull(failure, "failure"), null, null);
    }

    /** Return the outcome of a call that took longer than its time limit. */
    public static Outcome timedOut() {
        return TIMED_OUT;
    }

    /** Return the outcome of a call that was abandoned because its run was cancelled. */
    public static Outcome cancelled() {
        return CANCELLED;
    }

    /** Return the outcome of a delegation whose nested run waits. */
    public static Outcome suspended() {
        return SUSPENDED;
    }

    /** Return the outcome of a run that this process does not execute any more, or of a call of it. */
    public static Outcome released() {
        return RELEASED;
    }

    /**
     * Return the outcome of a run.
     *
     * @param reason why it ended, or null if it has not
     * @param failure what made it fail, or null
     */
    public static Outcome ofRun(RunStatus status, @Nullable StopReason reason, @Nullable Throwable failure) {
        Kind kind =
                switch (status) {
                    case COMPLETED, INCOMPLETE -> Kind.SUCCEEDED;
                    case FAILED -> Kind.FAILED;
                    case ABORTED -> Kind.CANCELLED;
                    case SUSPENDED -> Kind.SUSPENDED;
                    case PENDING, RUNNING -> Kind.RELEASED;
                };
        return new Outcome(kind, failure, status, reason);
    }

    /** Return the kind of the outcome. */
    public Kind kind() {
        return kind;
    }

    /** Return what was thrown. Its message is not redacted: it may contain a secret or a text of a user. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Return the status of the run; empty for a call and for a run that could not start. */
    public Optional<RunStatus> runStatus() {
        return Optional.ofNullable(runStatus);
    }

    /** Return why the run ended; empty for a call and for a run that has not ended. */
    public Optional<StopReason> stopReason() {
        return Optional.ofNullable(stopReason);
    }

    @Override
    public String toString() {
        return "Outcome[" + kind + (runStatus == null ? "" : ", " + runStatus)
                + (stopReason == null ? "" : ", " + stopReason.code()) + "]";
    }
}
