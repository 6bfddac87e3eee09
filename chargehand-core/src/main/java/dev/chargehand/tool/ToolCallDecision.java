package dev.chargehand.tool;

import java.util.Objects;

/** What {@code beforeToolCall} decides. */
public sealed interface ToolCallDecision {

    /** Lets the call be executed. */
    static ToolCallDecision allow() {
        return Allow.INSTANCE;
    }

    /** Refuses the call: nothing is executed, and the model gets an error result with the reason. */
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
