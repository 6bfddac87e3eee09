package dev.chargehand.verify.races;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import java.io.IOException;
import java.util.List;

/** Another process on the same store, as this one sees it: a barrier on pipes, and what came of it. */
interface Peer extends AutoCloseable {

    /** Lets it prepare its contenders, and waits until they are at the start. */
    void prepare(RunId run, List<PendingApproval> approvals, List<Contender> contenders) throws IOException;

    /** Lets them go. */
    void start() throws IOException;

    /** Waits for what came of it. */
    List<Outcome> outcomes() throws IOException;

    /** Returns how often it carried out what each slot stands for, and forgets it. */
    int[] effects(RaceCase race) throws IOException;

    @Override
    void close() throws IOException;
}
