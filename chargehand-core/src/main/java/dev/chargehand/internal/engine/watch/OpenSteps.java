package dev.chargehand.internal.engine.watch;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.HashSet;
import java.util.Set;

/** The steps whose events a reader receives as they happen: of others it missed the start. Used by one thread. */
final class OpenSteps {

    private final Set<RunId> seen = new HashSet<>();

    /** Return whether a provisional event makes sense to a reader: what belongs to a step needs its start. */
    boolean isOf(RunEvent event) {
        return switch (event) {
            case RunEvent.StepStart ignored -> begin(event);
            case RunEvent.IterationStart ignored -> begin(event);
            case RunEvent.RoutingAgentStart ignored -> begin(event);
            case RunEvent.HookError ignored -> true;
            case RunEvent.Data ignored -> true;
            case RunEvent.ScoringStart ignored -> true;
            case RunEvent.ScoringComplete ignored -> true;
            case RunEvent.RunReleased ignored -> true;
            case RunEvent.RunFinish ignored -> false; // an end that was not stored
            case RunEvent.Error ignored -> false;
            case RunEvent.Abort ignored -> false;
            default -> seen.contains(event.runId());
        };
    }

    private boolean begin(RunEvent event) {
        seen.add(event.runId());
        return true;
    }

    /** Return whether the answer that an event reports was not received from the start of its step. */
    boolean isMissing(RunEvent event) {
        return isAnswer(event) && !seen.contains(event.runId());
    }

    /** Note an event with an id. */
    void note(RunEvent event) {
        if (isAnswer(event)) {
            seen.remove(event.runId());
        }
    }

    private static boolean isAnswer(RunEvent event) {
        return event instanceof RunEvent.UsageReport usage && !usage.model().isEmpty();
    }

    /** Forget all, and return whether there were any. */
    boolean clear() {
        boolean any = !seen.isEmpty();
        seen.clear();
        return any;
    }
}
