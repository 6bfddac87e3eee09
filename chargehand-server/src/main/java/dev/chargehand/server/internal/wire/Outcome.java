package dev.chargehand.server.internal.wire;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.server.internal.api.WaitingId;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import java.util.List;
import java.util.Optional;

/** How runs end, as wires say it. A run that has started and has no result for the client is never a 5xx, since clients repeat those. */
public final class Outcome {

    private Outcome() {}

    /** Return whether an event is the last one of a root run for now. */
    public static boolean isLast(RunEvent event) {
        return event instanceof RunEvent.RunFinish
                || event instanceof RunEvent.RunSuspend
                || event instanceof RunEvent.RunReleased;
    }

    /** Return why the last event of a run has no result for a client; empty if it has one. */
    public static Optional<ProblemException> problem(RunEvent last) {
        return switch (last) {
            case RunEvent.RunFinish finish -> problem(finish);
            case RunEvent.RunSuspend suspend -> Optional.of(suspended(suspend));
            case RunEvent.RunReleased released -> Optional.of(released(released.runId()));
            default -> Optional.empty();
        };
    }

    private static Optional<ProblemException> problem(RunEvent.RunFinish finish) {
        return switch (finish.stopReason()) {
            case StopReason.Failed failed ->
                Optional.of(Problem.RUN_FAILED
                        .of(message(failed))
                        .with("error", failed.error())
                        .with("runId", finish.runId().value())
                        .header("x-should-retry", "false"));
            case StopReason.Cancelled ignored ->
                Optional.of(Problem.RUN_FAILED
                        .of("The run was cancelled.")
                        .with("error", "cancelled")
                        .with("runId", finish.runId().value())
                        .header("x-should-retry", "false"));
            default -> Optional.empty();
        };
    }

    /**
     * Return what clients read of a failure: its code. The message of a failure is for the application, which may not want to show its
     * clients what is said there of models and tools.
     */
    public static String message(StopReason.Failed failed) {
        return "The run has failed with the code '" + failed.error() + "'.";
    }

    /** Return the problem of a run that waits for answers. */
    public static ProblemException suspended(RunEvent.RunSuspend suspend) {
        List<String> waiting =
                suspend.pending().stream().map(Outcome::waitingId).toList();
        return Problem.SUSPENDED
                .of("The run waits for an answer; give it with POST /api/v1/approvals/{id}/answer.")
                .with("runId", suspend.runId().value())
                .with("approvals", waiting)
                .header("x-should-retry", "false");
    }

    /** Return the id of a waiting call. */
    public static String waitingId(PendingApproval pending) {
        return WaitingId.of(pending).toString();
    }

    /** Return the problem of a run that continues in another process. */
    public static ProblemException released(RunId run) {
        return Problem.RUN_RELEASED
                .of("This process executes the run no longer; another one continues it. Read it at /api/v1/runs/{id}.")
                .with("runId", run.value())
                .header("x-should-retry", "false");
    }
}
