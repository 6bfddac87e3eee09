package dev.chargehand.cli.output;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;

/**
 * Shows a run to its user. Used by one thread, except for notes. Close it after the last output of the run.
 */
public interface RunOutput extends AutoCloseable {

    /** Show an event; return whether the reader still accepts events. */
    boolean event(RunEvent event);

    /** Show a line about the command itself, while the run continues; from any thread. */
    void note(String line);

    /** Show how the run ended. */
    void ended(RunResult result);

    /** Show how the run failed. */
    void failed(RunFailedException failure);

    /** Remove output that is shown only during the run. */
    @Override
    default void close() {}
}
