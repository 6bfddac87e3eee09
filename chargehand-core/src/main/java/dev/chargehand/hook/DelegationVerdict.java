package dev.chargehand.hook;

import dev.chargehand.annotation.CheckReturnValue;
import org.jspecify.annotations.Nullable;

/**
 * The decision of {@code onDelegationComplete}.
 *
 * @param bails whether the text becomes the answer of the supervisor's run, which ends with this step
 * @param feedback the feedback for the next call of the supervisor's model, or null; a blank text is none
 * @param text what the supervisor's model sees instead of the sub-agent's text, or null; on a bail, the answer
 */
public record DelegationVerdict(
        boolean bails, @Nullable String feedback, @Nullable String text) {

    private static final DelegationVerdict ACCEPT = new DelegationVerdict(false, null, null);
    private static final DelegationVerdict BAIL = new DelegationVerdict(true, null, null);

    public DelegationVerdict {
        feedback = feedback == null || feedback.isBlank() ? null : feedback;
    }

    /** Take the result as it is. */
    public static DelegationVerdict accept() {
        return ACCEPT;
    }

    /** Make the sub-agent's text the answer of the supervisor's run. */
    public static DelegationVerdict bail() {
        return BAIL;
    }

    /** Return this verdict with feedback for the supervisor's next model call; it is kept with the thread. */
    @CheckReturnValue
    public DelegationVerdict withFeedback(String value) {
        return new DelegationVerdict(bails, value, text);
    }

    /** Return this verdict with another text in place of the sub-agent's; it makes a failed delegation a success. */
    @CheckReturnValue
    public DelegationVerdict withText(String value) {
        return new DelegationVerdict(bails, feedback, value);
    }
}
