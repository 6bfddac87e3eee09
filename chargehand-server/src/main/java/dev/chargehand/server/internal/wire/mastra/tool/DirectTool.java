package dev.chargehand.server.internal.wire.mastra.tool;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.Optional;

/**
 * A tool that callers may execute, as a workflow with one step.
 *
 * @param workflow its id is that of the tool, after a prefix
 */
record DirectTool(Tool tool, Workflow<Json, Json> workflow) {

    private static final String PREFIX = "tool-";

    /** An id has 64 characters at most. */
    private static final int NAME_LENGTH = 64 - PREFIX.length();

    /**
     * Make it.
     *
     * @throws ConfigurationException if callers cannot or may not execute the tool
     */
    static DirectTool of(Tool tool) {
        String where = "The server cannot let callers execute tool '" + tool.name() + "': ";
        if (tool.approval().isPresent()) {
            throw new ConfigurationException(
                    where + "its calls need an approval, or may need one, which only a run asks"
                            + " for. Let an agent call it.");
        }
        if (tool.isExternal()) {
            throw new ConfigurationException(where + "the client of a run executes it. Let an agent call it.");
        }
        if (tool.suspendPayload().isPresent()) {
            throw new ConfigurationException(
                    where + "it asks for data, which its caller cannot give it. Let an agent call it.");
        }
        if (tool.name().length() > NAME_LENGTH) {
            throw new ConfigurationException(
                    where + "its name has " + tool.name().length() + " characters, and at most " + NAME_LENGTH
                            + " are possible. Give it a shorter one.");
        }
        Step<Json, Json> step = Step.tool(tool).failIfInterrupted();
        return new DirectTool(
                tool,
                Workflow.from(PREFIX + tool.name(), tool.input())
                        .name(tool.name())
                        .description(tool.description())
                        .then(step)
                        .build(step.output()));
    }

    /** Return whether a workflow is that of the same tool: another server of the runtime may have made it. */
    boolean isIn(Workflow<?, ?> other) {
        return other.id().equals(workflow.id())
                && other.step(tool.name()).flatMap(Step::tool).equals(Optional.of(tool));
    }
}
