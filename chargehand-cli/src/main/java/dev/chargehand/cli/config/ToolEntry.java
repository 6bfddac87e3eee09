package dev.chargehand.cli.config;

/**
 * A tool of an agent.
 *
 * @param name its name
 * @param approval whether every call of it waits until somebody approves it
 */
public record ToolEntry(Setting name, boolean approval) {

    /** Returns this tool, which is named a second time, as both say. */
    ToolEntry and(ToolEntry other) {
        return new ToolEntry(name, approval || other.approval);
    }
}
