package dev.chargehand.testkit;

/** Thrown in place of a model's answer when a script has none for what was asked. */
public final class ScriptMismatch extends AssertionError {

    private static final long serialVersionUID = 1L;

    ScriptMismatch(String message) {
        super(message);
    }
}
