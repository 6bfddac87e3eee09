package dev.chargehand.server.internal.wire;

import dev.chargehand.event.RunEvent;
import java.util.Optional;

/**
 * The text of a root run, for clients from which a text cannot be taken back. A text that arrives again after a retry or a cut is sent
 * from where it goes beyond what was sent; if it differs from that, the stream cannot continue. Used by one thread.
 */
public final class AnswerText {

    /** When text is sent. */
    public enum Timing {
        /** As it arrives. */
        LIVE,
        /** That of a step with calls when the next step starts or the client has to execute a call; else the answer at the end of the run. */
        BY_STEP,
        /** The answer at the end of the run, and nothing before. */
        AT_END
    }

    private final Timing timing;
    private final StringBuilder sent = new StringBuilder();
    private final StringBuilder draft = new StringBuilder();
    private boolean isAnswered;
    private boolean isPassed;
    private boolean isDraftSent;
    private int arrived;
    private int number;
    private boolean isVoid;
    private boolean stepEnded = true;

    /** Make it. */
    public AnswerText(Timing timing) {
        this.timing = timing;
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
        return switch (timing) {
            case LIVE -> live(event);
            case BY_STEP -> byStep(event);
            case AT_END -> event instanceof RunEvent.RunFinish finish ? finishes(finish.text()) : Optional.empty();
        };
    }

    private Optional<String> live(RunEvent event) {
        switch (event) {
            case RunEvent.StepRetry ignored -> arrived = 0;
            case RunEvent.StreamResumed ignored -> arrived = stepEnded ? arrived : 0;
            case RunEvent.Tripwire tripwire -> block(tripwire.retry());
            case RunEvent.UsageReport ignored -> endStep();
            case RunEvent.StepFinish ignored -> endStep();
            default -> {}
        }
        return switch (event) {
            case RunEvent.TextDelta delta -> arrives(delta.text());
            case RunEvent.RunFinish finish -> finishes(finish.text());
            default -> Optional.empty();
        };
    }

    private Optional<String> byStep(RunEvent event) {
        switch (event) {
            case RunEvent.TextDelta delta -> draft.append(delta.text());
            case RunEvent.StepRetry ignored -> reject();
            case RunEvent.Tripwire ignored -> reject();
            case RunEvent.StreamResumed ignored -> draft.setLength(isAnswered ? draft.length() : 0);
            case RunEvent.UsageReport ignored -> isAnswered = true; // its text does not arrive again
            case RunEvent.StepFinish finish -> isPassed = finish.toolCalls() > 0;
            default -> {}
        }
        return switch (event) {
            case RunEvent.StepStart ignored -> nextStep();
            case RunEvent.RunSuspend suspend -> ExternalCalls.areIn(suspend) ? sendDraft() : Optional.empty();
            case RunEvent.RunFinish finish -> finishes(finish.text());
            default -> Optional.empty();
        };
    }

    /** The text before calls stays; an answer after which the model is called again was rejected. */
    private Optional<String> nextStep() {
        Optional<String> passed = isPassed ? sendDraft() : Optional.empty();
        reject();
        isPassed = false;
        isDraftSent = false;
        return passed;
    }

    private void reject() {
        draft.setLength(0);
        isAnswered = false;
    }

    private Optional<String> sendDraft() {
        if (isDraftSent || draft.isEmpty()) {
            return Optional.empty();
        }
        isDraftSent = true;
        start();
        sent.append(draft);
        return Optional.of(draft.toString());
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
        if (text.isEmpty()) {
            return Optional.empty(); // it starts no text
        }
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
        boolean isInStep = timing == Timing.LIVE || isDraftSent;
        if (answer.isEmpty() || (isInStep && answer.contentEquals(sent))) {
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
