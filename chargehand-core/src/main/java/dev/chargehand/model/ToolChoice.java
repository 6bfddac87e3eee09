package dev.chargehand.model;

import dev.chargehand.error.ConfigurationException;

/** The rule by which a model may or must call tools. */
public sealed interface ToolChoice {

    /** Return the choice of the model itself. */
    static ToolChoice auto() {
        return new Auto();
    }

    /** Return the choice of no tool; none is offered to the model. */
    static ToolChoice none() {
        return new None();
    }

    /** Return the choice of any tool, but one. */
    static ToolChoice required() {
        return new Required();
    }

    /** Make the choice of one tool that the model must call. */
    static ToolChoice tool(String name) {
        return new Named(name);
    }

    /** Read {@code auto}, {@code none}, {@code required} or a tool's name. */
    static ToolChoice parse(String text) {
        return switch (text) {
            case "auto" -> auto();
            case "none" -> none();
            case "required" -> required();
            default -> tool(text);
        };
    }

    /** Return the form that {@link #parse} reads. */
    default String text() {
        return switch (this) {
            case Auto ignored -> "auto";
            case None ignored -> "none";
            case Required ignored -> "required";
            case Named named -> named.toolName();
        };
    }

    /** See {@link #auto}. */
    record Auto() implements ToolChoice {}

    /** See {@link #none}. */
    record None() implements ToolChoice {}

    /** See {@link #required}. */
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
