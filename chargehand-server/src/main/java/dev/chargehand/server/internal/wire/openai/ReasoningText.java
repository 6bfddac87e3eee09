package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.event.RunEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the model of a root run has thought, one text for each step. As of an answer, nothing that was sent is taken back: what arrives again
 * after a retry or a cut is sent from where it goes beyond that, and not at all if it differs. Used by one thread.
 */
final class ReasoningText {

    private final StringBuilder sent = new StringBuilder();
    private int arrived;
    private int number;
    private boolean stepEnded = true;
    private boolean differs;

    /** Return how many texts have been started. */
    int number() {
        return number;
    }

    /** Return what was sent of the last text. */
    String sent() {
        return sent.toString();
    }

    /** Return what is to be sent for an event of the root run; empty for nothing. */
    Optional<String> next(RunEvent event) {
        switch (event) {
            case RunEvent.StepRetry ignored -> arrived = 0;
            case RunEvent.StreamResumed ignored -> arrived = 0;
            case RunEvent.Tripwire ignored -> arrived = 0;
            case RunEvent.UsageReport ignored -> stepEnded = true;
            case RunEvent.StepFinish ignored -> stepEnded = true;
            default -> {}
        }
        return switch (event) {
            case RunEvent.ReasoningStart ignored -> stepEnded || arrived == 0 ? Optional.empty() : arrives("\n\n");
            case RunEvent.ReasoningDelta delta -> arrives(delta.text());
            default -> Optional.empty();
        };
    }

    /** Return an item of a response. */
    static Map<String, ?> item(String id, List<Map<String, String>> summary, String status) {
        return Map.of("id", id, "type", "reasoning", "status", status, "summary", summary);
    }

    /** Return the part of an item that has a text. */
    static Map<String, String> part(String text) {
        return Map.of("type", "summary_text", "text", text);
    }

    private Optional<String> arrives(String text) {
        if (stepEnded) {
            stepEnded = false;
            differs = false;
            number++;
            sent.setLength(0);
            arrived = 0;
        }
        int known = Math.min(text.length(), sent.length() - arrived);
        differs |= known < 0 || !text.substring(0, known).contentEquals(sent.subSequence(arrived, arrived + known));
        arrived += text.length();
        if (differs || known == text.length()) {
            return Optional.empty();
        }
        String more = text.substring(known);
        sent.append(more);
        return Optional.of(more);
    }
}
