package dev.chargehand.verify.races;

import dev.chargehand.error.ApprovalException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a contender's action.
 *
 * @param contender who did it
 * @param taken whether its answer was taken, or its cancellation said to have been
 * @param refused why its answer was not taken, or null
 * @param status the status of the run in the result, or null
 * @param text the answer in the result, or null
 * @param broke any forbidden effect, or null
 */
record Outcome(
        Contender contender,
        boolean taken,
        ApprovalException.@Nullable Kind refused,
        @Nullable String status,
        @Nullable String text,
        @Nullable String broke) {

    static Outcome taken(Contender contender, @Nullable String status, @Nullable String text) {
        return new Outcome(contender, true, null, status, text, null);
    }

    static Outcome notTaken(Contender contender) {
        return new Outcome(contender, false, null, null, null, null);
    }

    static Outcome refused(Contender contender, ApprovalException.Kind kind) {
        return new Outcome(contender, false, kind, null, null, null);
    }

    static Outcome broke(Contender contender, Throwable what) {
        StackTraceElement[] stack = what.getStackTrace();
        return new Outcome(contender, false, null, null, null, what + (stack.length == 0 ? "" : " at " + stack[0]));
    }
}
