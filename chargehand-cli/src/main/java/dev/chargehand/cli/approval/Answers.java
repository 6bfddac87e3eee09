package dev.chargehand.cli.approval;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import java.util.List;

/** Gives answers to the waiting calls of a run. */
@FunctionalInterface
public interface Answers {

    /**
     * Answer calls, one after the other as long as they wait, and return the exit code.
     *
     * @param decision says what to answer
     */
    int answer(RunId runId, List<PendingApproval> calls, Decision decision);
}
