package dev.chargehand.cli;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunStatus;

/** The exit codes of the command. They are a contract: docs/cli.md lists them. */
final class ExitCode {

    /** The run ended with an answer. */
    static final int COMPLETED = 0;

    /** The run failed. */
    static final int FAILED = 1;

    /** The command line or the configuration is wrong; nothing was run. */
    static final int USAGE = 2;

    /** The run ended in order but without what was asked for. */
    static final int INCOMPLETE = 3;

    /** The run was cancelled. */
    static final int CANCELLED = 130;

    private ExitCode() {}

    static int of(RunStatus status) {
        return switch (status) {
            case COMPLETED -> COMPLETED;
            case FAILED -> FAILED;
            case INCOMPLETE, SUSPENDED, RUNNING -> INCOMPLETE;
            case ABORTED -> CANCELLED;
        };
    }

    /** Returns the code for what kept a run from beginning. */
    static int of(ChargehandException e) {
        return switch (e) {
            case ConfigurationException ignored -> USAGE;
            case ThreadOwnershipException ignored -> USAGE;
            case ModelException model -> model.kind() == ModelException.Kind.UNKNOWN_MODEL ? USAGE : FAILED;
            case StoreException store -> store.kind() == StoreException.Kind.UNUSABLE ? USAGE : FAILED;
            default -> FAILED;
        };
    }
}
