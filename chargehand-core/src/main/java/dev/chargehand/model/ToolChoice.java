package dev.chargehand.model;

import dev.chargehand.error.ConfigurationException;

/** How free a model is to call tools. */
public sealed interface ToolChoice {

    /** The model decides. */
    ToolChoice AUTO = new Auto();

    /** The model must not call a tool; none is offered to it. */
    ToolChoice NONE = new None();

    /** The model must call a tool. */
    ToolChoice REQUIRED = new Required();

    /** Makes the choice of one tool that the model must call. */
    static ToolChoice tool(String name) {
        return new Named(name);
    }

    /** Reads {@code auto}, {@code none}, {@code required} or a tool's name. */
    static ToolChoice parse(String text) {
        return switch (text) {
            case "auto" -> AUTO;
            case "none" -> NONE;
            case "required" -> REQUIRED;
            default -> tool(text);
        };
    }

    /** Returns the form that {@link #parse} reads. */
    default String text() {
        return switch (this) {
            case Auto ignored -> "auto";
            case None ignored -> "none";
            case Required ignored -> "required";
            case Named named -> named.toolName();
        };
    }

    /** See {@link #AUTO}. */
    record Auto() implements ToolChoice {}

    /** See {@link #NONE}. */
    record None() implements ToolChoice {}

    /** See {@link #REQUIRED}. */
    record Required() implements ToolChoice {}

    /** See {@link #tool}. */
    record Named(String toolName) implements ToolChoice {
        public Named {
            if (toolName.isBlank()) {
                throw new ConfigurationException("A tool choice must name a tool, or be auto, none or required.");
            }
        }
    }
}
