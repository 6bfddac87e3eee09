package dev.chargehand.testkit;

/** Thrown instead of a model's answer when a script has no answer for a call. */
public final class ScriptMismatchException extends AssertionError {

    private static final long serialVersionUID = 1L;

    ScriptMismatchException(String message) {
        super(message);
    }
}
