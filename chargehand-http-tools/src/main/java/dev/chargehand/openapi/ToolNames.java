package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.tool.Tool;
import java.util.Locale;

/** Knows what a tool of the file may be called. */
public final class ToolNames {

    private static final int LONGEST = 64;

    private ToolNames() {}

    /** Note a name that no tool can have. */
    public static void require(String name, String what, Position at, Mistakes mistakes) {
        if (!Tool.isValidName(name) || name.startsWith("agent-")) {
            mistakes.add(
                    at,
                    what + " has a name that cannot be used. Allowed are 1 to 64 letters, digits, '_' and '-', and not"
                            + " 'agent-' at the beginning.");
        }
    }

    /** Return the name of an operation as a tool can have it. */
    public static String legal(OpenApiDocument.DocumentedOperation operation) {
        String named = operation.id().isEmpty()
                ? operation.method().toLowerCase(Locale.ROOT) + operation.path()
                : operation.id();
        String legal = named.replaceAll("[^A-Za-z0-9_-]+", "_").replaceAll("^_+|(?<!_)_+$", "");
        String kept = legal.startsWith("agent-") ? "agent_" + legal.substring(6) : legal;
        return kept.isEmpty() ? "operation" : kept.substring(0, Math.min(LONGEST, kept.length()));
    }
}
