package dev.chargehand.cli.output;

import dev.chargehand.run.StopReason;

/** Explains the ends of runs to the person who started them. */
public final class Endings {

    private Endings() {}

    /** Return one line: why a run ended, and what the provider said if a model call failed. */
    public static String explain(StopReason reason) {
        return reason.explanation() + provider(reason);
    }

    /** Return the provider's words, marked as such, after a space; empty if there are none. */
    static String provider(StopReason reason) {
        return reason instanceof StopReason.Failed failed && failed.providerMessage() != null
                ? " The provider says: \"" + failed.providerMessage() + "\""
                : "";
    }
}
