package dev.chargehand.cli;

import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a run is watched: the options of every command that lets one go on. */
final class WatchOptions {

    @Option(names = "--plain", description = "Progress as plain lines, and nothing is asked.")
    private boolean plain;

    @Option(
            names = "--events",
            description = "Print every event as a line of JSON, and nothing else, to standard output.")
    private boolean events;

    /** Tells whether events are printed, and nothing else. */
    boolean events() {
        return events;
    }

    /**
     * Returns who asks the user, or null if nobody is to be asked.
     *
     * @param as in whose name is answered; null for the user's own
     */
    @Nullable
    ApprovalDialogue dialogue(Shell shell, @Nullable String as) {
        Terminal terminal = shell.terminal();
        return terminal == null || plain || events
                ? null
                : new ApprovalDialogue(terminal, Answerer.named(shell, as), InstantSource.system());
    }
}
