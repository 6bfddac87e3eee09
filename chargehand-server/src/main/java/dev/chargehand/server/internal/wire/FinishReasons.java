package dev.chargehand.server.internal.wire;

import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;

/** The reasons why an answer ends, of which clients know four. */
public final class FinishReasons {

    private FinishReasons() {}

    /** Return the reason of a run: {@code stop}, {@code length}, {@code content-filter} or {@code error}. */
    public static String of(StopReason reason) {
        return switch (reason) {
            case StopReason.ContentFiltered ignored -> "content-filter";
            case StopReason.Tripwire ignored -> "content-filter";
            case StopReason.Failed ignored -> "error";
            case StopReason.Cancelled ignored -> "error";
            default -> reason.status() == RunStatus.INCOMPLETE ? "length" : "stop";
        };
    }
}
