package dev.chargehand.cli;

import dev.chargehand.RunReleasedException;
import dev.chargehand.cli.config.AgentsFileException;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunStatus;
import java.util.Collection;
import java.util.stream.Stream;

/** The exit codes of the command. They are a contract: docs/cli.md lists them. */
final class ExitCode {

    /** The run ended with an answer. */
    static final int COMPLETED = 0;

    /** The run failed. */
    static final int FAILED = 1;

    /** The command line or the configuration is wrong, or what it asks for cannot be done; nothing was run. */
    static final int USAGE = 2;

    /** The run ended in order but without what was asked for. */
    static final int INCOMPLETE = 3;

    /** The run waits for an answer; it is kept in its store, and goes on when it is answered. */
    static final int WAITING = 4;

    /** The run was cancelled. */
    static final int CANCELLED = 130;

    /** The process was asked to terminate; the run is kept in its store, and can be continued. */
    static final int RELEASED = 143;

    private ExitCode() {}

    static int of(RunStatus status) {
        return switch (status) {
            case COMPLETED -> COMPLETED;
            case FAILED -> FAILED;
            case SUSPENDED -> WAITING;
            case INCOMPLETE, RUNNING -> INCOMPLETE;
            case ABORTED -> CANCELLED;
        };
    }

    /** Returns the code for several things: that of the one which is furthest from an answer. */
    static int worst(Collection<Integer> codes) {
        return Stream.of(CANCELLED, RELEASED, FAILED, INCOMPLETE, WAITING, USAGE)
                .filter(codes::contains)
                .findFirst()
                .orElse(COMPLETED);
    }

    /** Returns the code for what kept a run from beginning. */
    static int of(ChargehandException e) {
        return switch (e) {
            case ConfigurationException ignored -> USAGE;
            case AgentsFileException ignored -> USAGE;
            case ThreadOwnershipException ignored -> USAGE;
            case ModelException model -> model.kind() == ModelException.Kind.UNKNOWN_MODEL ? USAGE : FAILED;
            case ApprovalException ignored -> USAGE;
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
