package dev.chargehand.server.internal.wire;

import dev.chargehand.event.RunEvent;
import java.util.Optional;

/**
 * The text of a root run, for clients from which a text cannot be taken back. A text that arrives again after a retry or a cut is sent
 * from where it goes beyond what was sent; if it differs from that, the stream cannot continue. Used by one thread.
 */
public final class AnswerText {

    private final boolean live;
    private final StringBuilder sent = new StringBuilder();
    private int arrived;
    private int number;
    private boolean isVoid;
    private boolean stepEnded = true;

    /**
     * Make it.
     *
     * @param live whether text is sent as it arrives, or the answer at the end of the run
     */
    public AnswerText(boolean live) {
        this.live = live;
    }

    /** Return whether what was sent turned out not to be the text. */
    public boolean isVoid() {
        return isVoid;
    }

    /** Return how many texts have been started; each step has one of its own. */
    public int number() {
        return number;
    }

    /** Return what was sent of the last text. */
    public String sent() {
        return sent.toString();
    }

    /** Return what is to be sent for an event of the root run; empty for nothing. */
    public Optional<String> next(RunEvent event) {
        if (isVoid) {
            return Optional.empty();
        }
        switch (event) {
            case RunEvent.StepRetry ignored -> arrived = 0;
            case RunEvent.StreamResumed ignored -> arrived = stepEnded ? arrived : 0;
            case RunEvent.Tripwire tripwire -> block(tripwire.retry());
            case RunEvent.UsageReport ignored -> endStep();
            case RunEvent.StepFinish ignored -> endStep();
            default -> {}
        }
        return switch (event) {
            case RunEvent.TextDelta delta -> live ? arrives(delta.text()) : Optional.empty();
            case RunEvent.RunFinish finish -> finishes(finish.text());
            default -> Optional.empty();
        };
    }

    /** A text that is blocked is answered again in the same step. */
    private void block(boolean retry) {
        if (retry) {
            arrived = 0;
            stepEnded = number == 0;
        }
    }

    private void endStep() {
        isVoid = arrived < sent.length();
        stepEnded = true;
    }

    private Optional<String> arrives(String text) {
        if (stepEnded) {
            start();
        }
        int known = Math.min(text.length(), sent.length() - arrived);
        isVoid = !text.substring(0, known).contentEquals(sent.subSequence(arrived, arrived + known));
        arrived += text.length();
        String more = isVoid ? "" : text.substring(known);
        sent.append(more);
        return Optional.of(more).filter(rest -> !rest.isEmpty());
    }

    /** The answer of a run may be another text than its last step's: that of a sub-agent, or of a model that structures it. */
    private Optional<String> finishes(String answer) {
        if (answer.isEmpty() || answer.contentEquals(sent)) {
            return Optional.empty();
        }
        start();
        sent.append(answer);
        return Optional.of(answer);
    }

    private void start() {
        stepEnded = false;
        number++;
        sent.setLength(0);
        arrived = 0;
    }
}
