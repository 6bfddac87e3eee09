package dev.chargehand.server.internal.wire.mastra.tool;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.Outcome;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds in the events of a run how the execution of a tool has ended. It writes nothing: the answer is sent as a whole. */
final class ToolEnd implements Encoder {

    private static final Json NOTHING = Json.of(null);

    private final RunId run;
    private Json output = NOTHING;
    private @Nullable RunEvent last;

    ToolEnd(RunId run) {
        this.run = run;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        if (event.runId().equals(run) && last == null) {
            if (event instanceof WorkflowEvent.WorkflowStepResult result) {
                output = result.output() == null ? NOTHING : result.output();
            } else if (Outcome.isLast(event)) {
                last = event;
            }
        }
        return List.of();
    }

    @Override
    public boolean isDone() {
        return last != null;
    }

    @Override
    public List<Frame> released() {
        return List.of();
    }

    /** Return what the tool gave. */
    Json output() {
        return output;
    }

    /** Return whether the run waits for an answer, which its caller cannot give. */
    boolean waits() {
        return last instanceof RunEvent.RunSuspend;
    }

    /** Return why there is no result; empty if there is one. */
    Optional<ProblemException> problem() {
        if (last == null) {
            return Optional.of(Outcome.released(run));
        }
        return last instanceof RunEvent.RunSuspend suspend
                ? Optional.of(waiting(suspend).with("runId", run.value()))
                : Outcome.problem(last);
    }

    private static ProblemException waiting(RunEvent.RunSuspend suspend) {
        boolean needsApproval =
                suspend.pending().stream().anyMatch(call -> call.kind() == PendingApproval.Kind.APPROVAL);
        return needsApproval
                ? Problem.NOT_ALLOWED.of(
                        "The tool was not executed: this call needs an approval, which only a run of an"
                                + " agent asks for.")
                : Problem.RUN_FAILED
                        .of("The tool asks for data, which only a run of an agent can give it. The run was cancelled.")
                        .with("error", "cancelled");
    }
}
