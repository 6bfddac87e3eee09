package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.Encoder;
import java.util.List;

/** Makes encoders of Mastra for tests with its client. */
public final class MastraEncoders {

    private static final String TASK = "Please.";

    private MastraEncoders() {}

    /** Make the one of a request that has started a run, or has answered calls of it. */
    public static Encoder of(RunId root, boolean network, List<PendingApproval> answered) {
        return network ? new NetworkEncoder(root, answered, TASK) : new MastraEncoder(root, answered, List.of());
    }

    /** Make the one of a request that reads a run from its start. */
    public static Encoder observing(RunId root, boolean network, int past) {
        return network ? NetworkEncoder.observing(root, TASK, past, 0) : MastraEncoder.observing(root, past, 0);
    }
}
