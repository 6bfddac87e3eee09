package dev.chargehand.server.internal.wire;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RequestContext;
import dev.chargehand.server.internal.route.HttpWords;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.tool.ClientTools;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The tools that the client of a request executes: those that it adds, and external ones of the agent. */
public final class ExternalTools {

    private static final Json NO_ARGUMENTS = Json.parse("{\"type\":\"object\",\"properties\":{}}");

    private final Agent agent;
    private final List<Tool> added;
    private final RequestContext context;

    private ExternalTools(Agent agent, List<Tool> added, RequestContext context) {
        this.agent = agent;
        this.added = List.copyOf(added);
        this.context = context;
    }

    /**
     * A tool as a wire has read it.
     *
     * @param at the object of the request, for problems
     * @param schema the JSON Schema of its arguments; empty for none
     */
    public record Sent(Body at, String name, String description, Optional<Json> schema) {}

    /**
     * Check the tools that a client adds. External tools of the agent, which the client has to know, may be among them.
     *
     * @param body what problems name
     * @param field the field that has the tools
     */
    public static ExternalTools of(Agent agent, Body body, String field, List<Sent> sent) {
        List<Tool> own = agent.isDynamic() && sent.isEmpty() ? List.of() : agent.toolsFor(RequestContext.empty());
        Set<String> external =
                own.stream().filter(Tool::isExternal).map(Tool::name).collect(Collectors.toSet());
        Set<String> names = new HashSet<>(own.stream().map(Tool::name).toList());
        List<Tool> added = new ArrayList<>();
        for (Sent each : sent) {
            if (external.contains(each.name())) {
                continue;
            }
            if (!names.add(each.name())) {
                throw each.at().problem("name", "must not be '" + each.name() + "', which another tool has");
            }
            added.add(tool(each));
        }
        if (added.isEmpty()) {
            return new ExternalTools(agent, added, RequestContext.empty());
        }
        RequestContext context = context(agent, body, field, added);
        if (!agent.toolsFor(context).stream()
                .map(Tool::name)
                .collect(Collectors.toSet())
                .containsAll(added.stream().map(Tool::name).toList())) {
            throw body.problem(field, "is not accepted by this agent: it calls its own tools only");
        }
        return new ExternalTools(agent, added, context);
    }

    /**
     * What a client chooses: how a wire names a tool that must be called.
     *
     * @param field the field that has the choice
     * @param type the type of a choice that names a tool
     * @param holder the field of such a choice whose object has the name; empty for the choice itself
     * @param name the field with the name
     */
    public record Choice(String field, String type, Optional<String> holder, String name) {

        /** Return the choice of a request; a tool must be called only in the first step of its run. */
        public ToolChoice of(Body body) {
            if (body.json(field).filter(Json::isObject).isPresent()) {
                Body choice = body.object(field).orElseThrow();
                if (!choice.requiredId("type").equals(type)) {
                    throw choice.problem("type", "must be '" + type + "': other choices are not offered");
                }
                return ToolChoice.tool(named(choice).requiredId(name));
            }
            return switch (body.json(field)
                    .map(choice -> choice.string().orElse(""))
                    .orElse("auto")) {
                case "auto" -> ToolChoice.auto();
                case "none" -> ToolChoice.none();
                case "required" -> ToolChoice.required();
                default -> throw body.problem(field, "must be 'auto', 'none', 'required' or a tool");
            };
        }

        private Body named(Body choice) {
            return holder.map(it -> choice.object(it).orElseThrow(() -> choice.problem(it, "is missing")))
                    .orElse(choice);
        }

        private ProblemException unknown(Body body) {
            return named(body.object(field).orElseThrow())
                    .problem(name, "must be the name of a tool that the agent may call");
        }
    }

    /**
     * Return these tools with what the client chooses for the first step of the run. Only its run knows what a dynamic agent may call.
     *
     * @param options returns the options of the agent
     */
    public ExternalTools choosing(Choice form, Body body, Supplier<Map<String, Object>> options) {
        ToolChoice choice = form.of(body);
        if (choice instanceof ToolChoice.Auto || choice instanceof ToolChoice.None) {
            return this; // the tools of the client are left out, and those of the agent are its own
        }
        if (!agent.isDynamic()) {
            Set<String> callable = callable(options.get());
            if (choice instanceof ToolChoice.Named named && !callable.contains(named.toolName())) {
                throw form.unknown(body);
            }
            if (callable.isEmpty()) {
                throw body.problem(form.field(), "cannot be 'required': the agent has no tool that it may call");
            }
        }
        return new ExternalTools(agent, added, ClientTools.choosing(context, agent.id(), choice));
    }

    private Set<String> callable(Map<String, Object> options) {
        Set<String> names =
                agent.toolsFor(context).stream().map(Tool::name).collect(Collectors.toCollection(HashSet::new));
        agent.agents().keySet().forEach(key -> names.add("agent-" + key));
        agent.workflows().keySet().forEach(key -> names.add("workflow-" + key));
        if (options.get("activeTools") instanceof Collection<?> active) {
            names.retainAll(active);
        }
        return names;
    }

    private static RequestContext context(Agent agent, Body body, String field, List<Tool> added) {
        try {
            return ClientTools.in(RequestContext.empty(), agent.id(), added);
        } catch (ConfigurationException e) {
            throw body.problem(field, "cannot be added. " + HttpWords.of(e));
        }
    }

    private static Tool tool(Sent sent) {
        if (sent.schema().filter(json -> !json.isObject()).isPresent()) {
            throw sent.at().problem("parameters", "must be a JSON Schema: a JSON object");
        }
        Json schema = sent.schema().filter(json -> !json.fields().isEmpty()).orElse(NO_ARGUMENTS);
        try {
            JsonSchema input = JsonSchema.of(schema);
            input.mistakes().stream().findFirst().ifPresent(mistake -> {
                throw sent.at().problem("parameters", "must be a JSON Schema: " + mistake);
            });
            String description = sent.description().isBlank() ? sent.name() : sent.description();
            return Tool.external(sent.name(), description, input);
        } catch (ConfigurationException e) {
            throw sent.at().problem("name", "is no tool that can be offered. " + HttpWords.of(e));
        }
    }

    /** Return the names of the tools that the client executes. */
    public Set<String> names() {
        Set<String> names = added.stream().map(Tool::name).collect(Collectors.toCollection(HashSet::new));
        if (!agent.isDynamic()) {
            agent.toolsFor(RequestContext.empty()).stream()
                    .filter(Tool::isExternal)
                    .map(Tool::name)
                    .forEach(names::add);
        }
        return names;
    }

    /** Return options that add the tools to what other options set. */
    public Consumer<RunOptions.Builder> with(Consumer<RunOptions.Builder> others, RequestContext values) {
        return context.equals(RequestContext.empty())
                ? others
                : others.andThen(options -> options.requestContext(values.merge(context)));
    }
}
