package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.AnswerGate;
import dev.chargehand.server.internal.wire.AnswerText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The chunks of the texts and of the reasoning of runs. Each has a start and an end: also one that had started before the answer which the request
 * has given, and continues after it. Used by one thread.
 */
final class TextChunks {

    /** Sends a chunk of the run of an event. */
    interface Sender {
        void send(RunEvent event, String type, Map<String, ?> payload);
    }

    private final AnswerGate gate;
    private final Sender sender;
    private final Map<RunId, AnswerText> texts = new HashMap<>();
    private final Map<RunId, String> openTexts = new HashMap<>();
    private final Set<String> openReasoning = new HashSet<>();

    TextChunks(AnswerGate gate, Sender sender) {
        this.gate = gate;
        this.sender = sender;
    }

    /** Send what an event adds to the text of its run, and return that. */
    Optional<String> text(RunEvent event) {
        AnswerText text = texts.computeIfAbsent(event.runId(), id -> new AnswerText(AnswerText.Timing.LIVE));
        Optional<String> more = text.next(event);
        more.ifPresent(part -> send(event, "text-" + text.number(), part));
        boolean ends = event instanceof RunEvent.UsageReport
                || event instanceof RunEvent.StepFinish
                || event instanceof RunEvent.RunFinish;
        if (ends) {
            closeText(event);
        }
        return more;
    }

    /** Return whether what was sent of the text of a run turned out not to be it. */
    boolean isVoid(RunId run) {
        AnswerText text = texts.get(run);
        return text != null && text.isVoid();
    }

    private void send(RunEvent event, String id, String part) {
        if (gate.isOpen() && !id.equals(openTexts.get(event.runId()))) {
            closeText(event);
            openTexts.put(event.runId(), id);
            sender.send(event, "text-start", Map.of("id", id));
        }
        sender.send(event, "text-delta", Map.of("id", id, "text", part));
    }

    private void closeText(RunEvent event) {
        String id = openTexts.remove(event.runId());
        if (id != null) {
            sender.send(event, "text-end", Map.of("id", id));
        }
    }

    /** Send the start of reasoning; that of another attempt has the same id. */
    void reasoning(RunEvent.ReasoningStart start) {
        openReasoning.remove(start.textId());
        startReasoning(start, start.textId());
    }

    /** Send more of some reasoning. */
    void reasoning(RunEvent.ReasoningDelta delta) {
        startReasoning(delta, delta.textId());
        sender.send(delta, "reasoning-delta", Map.of("id", delta.textId(), "text", delta.text()));
    }

    /** Send the end of some reasoning. */
    void reasoning(RunEvent.ReasoningEnd end) {
        if (openReasoning.remove(end.textId())) {
            sender.send(end, "reasoning-end", Map.of("id", end.textId()));
        }
    }

    private void startReasoning(RunEvent event, String id) {
        if (gate.isOpen() && openReasoning.add(id)) {
            sender.send(event, "reasoning-start", Map.of("id", id));
        }
    }
}
