package dev.chargehand.testkit.replay;

/** Thrown where a replay differs from its recording; says where, what was recorded, and what came instead. */
public final class ReplayMismatch extends AssertionError {

    private static final long serialVersionUID = 1L;

    ReplayMismatch(String message) {
        super(message);
    }
}
