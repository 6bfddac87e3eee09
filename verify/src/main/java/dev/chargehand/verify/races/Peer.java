package dev.chargehand.verify.races;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import java.io.IOException;
import java.util.List;

/** Another process on the same store, as this one sees it: a barrier on pipes, and its outcomes. */
interface Peer extends AutoCloseable {

    /** Let it prepare its contenders, and wait until they are at the start. */
    void prepare(RunId run, List<PendingApproval> approvals, List<Contender> contenders) throws IOException;

    /** Let them go. */
    void start() throws IOException;

    /** Wait for the outcomes. */
    List<Outcome> outcomes() throws IOException;

    /** Return how often it carried out what each slot stands for, and forget it. */
    int[] effects(RaceCase race) throws IOException;

    @Override
    void close() throws IOException;
}
