package dev.chargehand.testkit;

/** The exception of a model call for which a script has no answer. */
public final class ScriptMismatchException extends AssertionError {

    private static final long serialVersionUID = 1L;

    ScriptMismatchException(String message) {
        super(message);
    }
}
