package dev.chargehand.cli.output;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;

/**
 * Shows a run to whoever started it. Used by one thread, but for notes. Close it when nothing of the run is to be shown any
 * more.
 */
public interface RunOutput extends AutoCloseable {

    /** Shows an event; tells whether there is still somebody to show the next one to. */
    boolean event(RunEvent event);

    /** Shows a line about the command itself, while the run goes on; from any thread. */
    void note(String line);

    /** Shows how the run ended. */
    void ended(RunResult result);

    /** Shows how the run failed. */
    void failed(RunFailedException failure);

    /** Takes away what was to be seen only while the run was at work. */
    @Override
    default void close() {}
}
