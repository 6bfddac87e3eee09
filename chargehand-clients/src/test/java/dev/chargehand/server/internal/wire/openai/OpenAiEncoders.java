package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Encoder;
import java.util.List;

/** Makes encoders of OpenAI's form for tests with its client. */
public final class OpenAiEncoders {

    private OpenAiEncoders() {}

    /** Make the one of a chat completion. */
    public static Encoder chat(RunId root, AnswerText.Timing timing, List<PendingApproval> answered) {
        return new ChatEncoder(root, "model", true, timing, answered);
    }

    /** Make the one of a response. */
    public static Encoder response(RunId root, AnswerText.Timing timing, int past, List<PendingApproval> answered) {
        return new ResponseEncoder(root, "model", false, timing, answered).past(past);
    }
}
