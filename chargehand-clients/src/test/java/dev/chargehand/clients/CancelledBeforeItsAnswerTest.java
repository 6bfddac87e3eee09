package dev.chargehand.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.agui.AgUiEncoders;
import dev.chargehand.server.internal.wire.aisdk.AiSdkEncoders;
import dev.chargehand.server.internal.wire.mastra.MastraEncoders;
import dev.chargehand.server.internal.wire.openai.OpenAiEncoders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The stream of an answer that was accepted right before its run was cancelled: no event of the run has the answer, and the stream ends. */
class CancelledBeforeItsAnswerTest {

    @Test
    void itsStreamEndsAsThatOfACancelledRun() {
        try (AgentRuntime runtime = new Crew().runtime()) {
            RunHandle handle = runtime.start(runtime.agent("clerk"), List.of(Message.user("Pay.")), options -> {});
            RunId root = handle.result().runId();
            List<PendingApproval> answered = handle.pendingApprovals();
            assertThat(runtime.cancel(root)).isTrue();
            List<RunEvent> events = runtime.history(root);
            Map<String, Encoder> encoders = Map.of(
                    "chat", OpenAiEncoders.chat(root, AnswerText.Timing.LIVE, answered),
                    "response", OpenAiEncoders.response(root, AnswerText.Timing.LIVE, 0, answered),
                    "AG-UI", AgUiEncoders.of(root, answered),
                    "AI SDK", AiSdkEncoders.of(root, 1, answered, Set.of()),
                    "Mastra", MastraEncoders.of(root, false, answered));
            Map<String, String> ends = Map.of(
                    "chat", "\"code\":\"cancelled\"",
                    "response", "\"code\":\"cancelled\"",
                    "AG-UI", "\"cancelled\"",
                    "AI SDK", "\"abort\"",
                    "Mastra", "\"abort\"");
            encoders.forEach((wire, encoder) -> {
                List<Frame> frames = new ArrayList<>();
                events.forEach(event -> frames.addAll(encoder.encode(event)));
                String sent = frames.stream().map(Object::toString).collect(Collectors.joining("\n"));
                assertThat(encoder.isDone()).as(wire).isTrue();
                assertThat(sent).as(wire).contains(ends.get(wire)).doesNotContain("run-released");
            });
        }
    }
}
