package dev.chargehand.server.internal.route;

import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.error.WorkflowChangedException;
import dev.chargehand.error.WorkflowUnknownException;
import java.util.Optional;

/** The problems of exceptions that calls of a runtime throw before a run has started. */
final class Failures {

    private Failures() {}

    /** Return the problem; empty if the exception is an error of the server. */
    static Optional<ProblemException> problem(RuntimeException thrown) {
        return thrown instanceof ChargehandException e ? problem(e) : Optional.empty();
    }

    private static Optional<ProblemException> problem(ChargehandException thrown) {
        return Optional.ofNullable(
                switch (thrown) {
                    case StoreException e -> store(e);
                    case MemoryException e -> memory(e);
                    case ThreadBusyException e -> busy(e);
                    case ThreadOwnershipException e -> Problem.THREAD_UNKNOWN.of("There is no thread with this id.");
                    case IdempotencyKeyException e ->
                        Problem.IDEMPOTENCY_MISMATCH.of(
                                "The idempotency key was used with another request; use a new key for a new request.");
                    case WorkflowUnknownException e ->
                        Problem.VERSION_UNKNOWN.of("The version of the run's workflow is not in this server.");
                    case WorkflowChangedException e ->
                        Problem.VERSION_UNKNOWN.of(
                                "The workflow of the run has other steps in this server, so the run cannot continue here.");
                    case RunNotEndedException e -> Problem.NOT_ENDED.of("The run has not ended.");
                    case VersionUnknownException e -> Problem.VERSION_UNKNOWN.of(HttpWords.of(e));
                    case ApprovalException e -> approval(e);
                    case ConfigurationException e -> Problem.BAD_REQUEST.of(HttpWords.of(e));
                    default -> null;
                });
    }

    private static ProblemException store(StoreException thrown) {
        return thrown.kind() == StoreException.Kind.NOT_FOUND
                ? Problem.RUN_UNKNOWN.of("There is no run with this id.")
                : Problem.STORE_UNAVAILABLE.of("The store could not be used. Try again.");
    }

    private static ProblemException busy(ThreadBusyException thrown) {
        return thrown.code().equals("resource-busy")
                ? Problem.RESOURCE_BUSY.of("A run of the resource has not ended; cancel it, or wait for its end.")
                : Problem.THREAD_BUSY.of("Another run uses the thread.");
    }

    private static ProblemException memory(MemoryException thrown) {
        return switch (thrown.kind()) {
            case UNSUPPORTED -> Problem.NOT_AVAILABLE.of("The store of the server keeps no memory.");
            case CONFLICT -> Problem.MEMORY_CONFLICT.of("Others change the memory at the same time. Try again.");
            default -> Problem.BAD_REQUEST.of(HttpWords.of(thrown));
        };
    }

    private static ProblemException approval(ApprovalException thrown) {
        return switch (thrown.kind()) {
            case UNKNOWN -> Problem.APPROVAL_UNKNOWN.of("No call with this id waits for an answer.");
            case EXPIRED -> Problem.EXPIRED.of("The time to answer the call is over; it counts as declined.");
            case ARGUMENTS_CHANGED ->
                Problem.ARGUMENTS_CHANGED.of("The arguments differ from those of the digest; read the call again.");
            case ALREADY_DECIDED -> Problem.ALREADY_DECIDED.of("The call was answered before.");
            case NOT_ALLOWED -> Problem.NOT_ALLOWED.of("The caller may not answer this call.");
            default -> Problem.BAD_REQUEST.of(HttpWords.of(thrown));
        };
    }
}
