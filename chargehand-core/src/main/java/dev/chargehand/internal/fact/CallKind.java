package dev.chargehand.internal.fact;

/** What may happen to a call that a crash interrupted. */
public enum CallKind {
    /** It is executed again with the same idempotency key. */
    REPEATABLE,
    /** It is never executed again: its outcome is unknown, and the model receives so. */
    UNSAFE,
    /** It is a delegation: the child run is advanced. */
    CHILD,
    /** It starts a background task: the start is repeated under the same id, which a store accepts once. */
    TASK
}
