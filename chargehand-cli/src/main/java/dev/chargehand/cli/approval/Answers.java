package dev.chargehand.cli.approval;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Gives answers to the waiting calls of a run. */
@FunctionalInterface
public interface Answers {

    /**
     * Answer calls, one after the other as long as they wait, and return the exit code.
     *
     * @param answer returns the answer to a call; empty to leave it waiting
     */
    int answer(RunId runId, List<PendingApproval> calls, Function<PendingApproval, Optional<ApprovalAnswer>> answer);
}
