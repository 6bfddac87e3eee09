package dev.chargehand.approval;

import java.util.Optional;

/** What a call waits for. The stored name of a constant is its own. */
public enum WaitKind {
    /** A decision whether it may be executed. */
    APPROVAL,
    /** Data that it asked for. */
    DATA,
    /** A decision about what an interruption left unknown. */
    INTERRUPTED,
    /** A time, which needs no answer. */
    TIMER;

    /** Return the kind of answer that it waits for; empty for a time. */
    public Optional<PendingApproval.Kind> answer() {
        return switch (this) {
            case APPROVAL -> Optional.of(PendingApproval.Kind.APPROVAL);
            case DATA -> Optional.of(PendingApproval.Kind.DATA);
            case INTERRUPTED -> Optional.of(PendingApproval.Kind.INTERRUPTED);
            case TIMER -> Optional.empty();
        };
    }
}
