package dev.chargehand.hook;

import java.util.Objects;

/** The decision of {@code beforeToolCall}. */
public sealed interface ToolCallDecision {

    /** Let the call be executed. */
    static ToolCallDecision allow() {
        return Allow.INSTANCE;
    }

    /** Reject the call: nothing is executed, and the model gets an error result with the reason. */
    static ToolCallDecision deny(String reason) {
        return new Deny(reason);
    }

    /** The call may be executed. */
    record Allow() implements ToolCallDecision {
        private static final Allow INSTANCE = new Allow();
    }

    /** Nothing is executed. */
    record Deny(String reason) implements ToolCallDecision {
        public Deny {
            Objects.requireNonNull(reason, "A denial needs a reason.");
        }
    }
}
