package dev.chargehand.tool;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RequestContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * External tools that a client adds to one run of an agent which accepts them ({@code AgentBuilder.acceptClientTools}). They are a value of
 * the run's request context, so that they exist again when the run is resumed in any process. Only the agent that they are given to has them.
 */
@Experimental
public final class ClientTools {

    /** How many tools a client may add. */
    public static final int MOST_TOOLS = 32;

    /** How many characters their descriptions and schemas may have together. */
    public static final int MOST_CHARACTERS = 65_536;

    private static final RequestContext.Key<Json> KEY = RequestContext.Key.of("chargehand.clientTools", Json.class);

    private ClientTools() {}

    private static final RequestContext.Key<Json> CHOICE =
            RequestContext.Key.of("chargehand.clientToolChoice", Json.class);

    private record Stored(String agent, List<StoredTool> tools) {}

    private record StoredChoice(String agent, String choice) {}

    private record StoredTool(String name, String description, Json input) {}

    /**
     * Return the context of a run with the tools of its client.
     *
     * @param agentId the agent that has them
     * @param tools external tools
     * @throws ConfigurationException if two have the same name, one has that of a sub-agent, or if there are more than {@link #MOST_TOOLS}, or more characters than
     *     {@link #MOST_CHARACTERS}
     */
    public static RequestContext in(RequestContext context, String agentId, List<Tool> tools) {
        Set<String> names = new HashSet<>();
        List<StoredTool> stored = new ArrayList<>();
        long characters = 0;
        for (Tool tool : tools) {
            boolean callee = tool.name().startsWith("agent-") || tool.name().startsWith("workflow-");
            if (!tool.isExternal() || callee || !names.add(tool.name())) {
                throw new ConfigurationException(
                        "Client tool '" + tool.name()
                                + "' must be external and have a name of its own, which does not start with 'agent-' or 'workflow-'.");
            }
            characters +=
                    tool.description().length() + tool.input().json().text().length();
            stored.add(
                    new StoredTool(tool.name(), tool.description(), tool.input().json()));
        }
        if (tools.size() > MOST_TOOLS || characters > MOST_CHARACTERS) {
            throw new ConfigurationException(
                    "A client may add " + MOST_TOOLS + " tools, whose descriptions and schemas have " + MOST_CHARACTERS
                            + " characters together; there are " + tools.size() + " with " + characters + ".");
        }
        return context.with(KEY, Json.of(new Stored(agentId, stored)));
    }

    /**
     * Return the context of a run whose client chooses what the model calls in its first step, so that a later one can have the answer. In
     * that step it counts before the option {@code toolChoice}, and after what {@code prepareStep} chooses.
     *
     * @param agentId the agent whose root run it is for; nested runs do not have it
     * @param choice the choice; a run fails if it names a tool that is not offered
     */
    public static RequestContext choosing(RequestContext context, String agentId, ToolChoice choice) {
        return context.with(CHOICE, Json.of(new StoredChoice(agentId, choice.text())));
    }

    /** Return what the client of a run has chosen for the first step of an agent's run; empty if it has chosen nothing. */
    public static Optional<ToolChoice> choice(RequestContext context, String agentId) {
        Optional<Json> chosen = context.get(CHOICE);
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        StoredChoice stored = chosen.get().as(StoredChoice.class);
        return stored.agent().equals(agentId) ? Optional.of(ToolChoice.parse(stored.choice())) : Optional.empty();
    }

    /**
     * Return the tools of an agent with those that a client has added. One whose name a tool of the agent has is left out.
     *
     * @param own makes the tools of the agent for a request
     */
    public static Function<RequestContext, List<Tool>> addedTo(
            String agentId, Function<RequestContext, List<Tool>> own) {
        return context -> added(context, agentId, own.apply(context));
    }

    private static List<Tool> added(RequestContext context, String agentId, List<Tool> own) {
        if (own == null || own.stream().anyMatch(tool -> tool == null)) {
            return own; // what made them is wrong, and reported by the agent
        }
        Stored stored = context.get(KEY)
                .map(json -> json.as(Stored.class))
                .filter(each -> each.agent().equals(agentId))
                .orElse(new Stored(agentId, List.of()));
        Set<String> names = new HashSet<>();
        own.forEach(tool -> names.add(tool.name()));
        List<Tool> all = new ArrayList<>(own);
        for (StoredTool tool : stored.tools()) {
            if (names.add(tool.name())) {
                all.add(Tool.external(tool.name(), tool.description(), JsonSchema.of(tool.input())));
            }
        }
        return all;
    }
}
