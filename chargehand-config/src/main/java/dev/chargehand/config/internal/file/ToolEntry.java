package dev.chargehand.config.internal.file;

import dev.chargehand.document.Setting;

/**
 * A tool of an agent.
 *
 * @param name its name
 * @param approval whether every call of it waits for approval
 */
public record ToolEntry(Setting name, boolean approval) {

    /** Return this tool, which is named a second time, as both say. */
    ToolEntry and(ToolEntry other) {
        return new ToolEntry(name, approval || other.approval);
    }
}
