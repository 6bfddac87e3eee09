package dev.chargehand.cli.output;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;

/** Shows a run to whoever started it. Used by one thread. */
public interface RunOutput {

    /** Shows an event; tells whether there is still somebody to show the next one to. */
    boolean event(RunEvent event);

    /** Shows how the run ended. */
    void ended(RunResult result);

    /** Shows how the run failed. */
    void failed(RunFailedException failure);
}
