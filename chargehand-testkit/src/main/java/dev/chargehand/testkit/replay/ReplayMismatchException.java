package dev.chargehand.testkit.replay;

/** The exception of a replay that differs from its recording; says where, what was recorded, and what came instead. */
public final class ReplayMismatchException extends AssertionError {

    private static final long serialVersionUID = 1L;

    ReplayMismatchException(String message) {
        super(message);
    }
}
