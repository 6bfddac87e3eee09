package dev.chargehand.server.internal.wire.agui;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.Encoder;
import java.util.List;
import java.util.Optional;

/** Makes encoders of AG-UI for tests with its client. */
public final class AgUiEncoders {

    private AgUiEncoders() {}

    /** Make the one of a request that has started a run, or has answered calls of it. */
    public static Encoder of(RunId root, List<PendingApproval> answered) {
        return new AgUiEncoder(root, "thread", "run", answered);
    }

    /** Make the one of a request that reads a run from its start. */
    public static Encoder reading(RunId root, int past) {
        return AgUiEncoder.reading(root, "thread", "run", Optional.of(List.of()), past);
    }
}
