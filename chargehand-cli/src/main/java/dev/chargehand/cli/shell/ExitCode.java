package dev.chargehand.cli.shell;

import dev.chargehand.RunReleasedException;
import dev.chargehand.document.DocumentException;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.run.RunStatus;
import java.util.Collection;
import java.util.stream.Stream;

/** The exit codes of the command. They are a contract: docs/cli.md lists them. */
public final class ExitCode {

    /** The run ended with an answer. */
    public static final int COMPLETED = 0;

    /** The run failed. */
    public static final int FAILED = 1;

    /** The command line or the configuration is wrong, or what it asks for cannot be done; nothing was run. */
    public static final int USAGE = 2;

    /** The run ended normally but without the requested result. */
    static final int INCOMPLETE = 3;

    /** The run waits for an answer; it is kept in its store, and continues when it is answered. */
    public static final int WAITING = 4;

    /** The run ended with an answer, but its searches of the documents found nothing. */
    public static final int NOTHING_FOUND = 5;

    /** The run was cancelled. */
    public static final int CANCELLED = 130;

    /** The process was asked to terminate; the run is kept in its store, and can be continued. */
    public static final int RELEASED = 143;

    private ExitCode() {}

    public static int of(RunStatus status) {
        return switch (status) {
            case COMPLETED -> COMPLETED;
            case FAILED -> FAILED;
            case SUSPENDED -> WAITING;
            case INCOMPLETE, RUNNING, PENDING -> INCOMPLETE;
            case ABORTED -> CANCELLED;
        };
    }

    /** Return the code for several things: that of the one which is furthest from an answer. */
    public static int worst(Collection<Integer> codes) {
        return Stream.of(CANCELLED, RELEASED, FAILED, INCOMPLETE, WAITING, USAGE, NOTHING_FOUND)
                .filter(codes::contains)
                .findFirst()
                .orElse(COMPLETED);
    }

    /** Return the code for an error that prevented a run from starting. */
    public static int of(ChargehandException e) {
        return switch (e) {
            case ConfigurationException ignored -> USAGE;
            case DocumentException ignored -> USAGE;
            case ThreadOwnershipException ignored -> USAGE;
            case ModelException model -> model.kind() == ModelException.Kind.UNKNOWN_MODEL ? USAGE : FAILED;
            case ApprovalException ignored -> USAGE;
            case MemoryException memory -> memory.kind() == MemoryException.Kind.CONFLICT ? FAILED : USAGE;
            case VersionUnknownException version -> version.retryable() ? FAILED : USAGE;
            case RunReleasedException ignored -> RELEASED;
            case StoreException store ->
                switch (store.kind()) {
                    case UNUSABLE, NOT_FOUND, FENCED -> USAGE;
                    default -> FAILED;
                };
            default -> FAILED;
        };
    }
}
