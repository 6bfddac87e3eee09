package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.Encoder;
import java.util.List;
import java.util.Set;

/** Makes encoders of the AI SDK for tests with its client. */
public final class AiSdkEncoders {

    private AiSdkEncoders() {}

    /**
     * Make one.
     *
     * @param past how many suspensions of the run are past
     * @param answered the calls that the request has answered; none if it reads the run from its start
     */
    public static Encoder of(RunId root, int past, List<PendingApproval> answered, Set<String> external) {
        return new AiSdkEncoder(root, new AiSdkEncoder.From(past, answered), external);
    }
}
