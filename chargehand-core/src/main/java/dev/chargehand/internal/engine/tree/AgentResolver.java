package dev.chargehand.internal.engine.tree;

import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.HookException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.agent.model.TypedAnswer;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RootScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what an agent is for one request: its instructions, its models, and what it may call. */
final class AgentResolver {

    private final RootScope root;
    private final DefinitionRegistry definitions;

    AgentResolver(RootScope root, DefinitionRegistry definitions) {
        this.root = root;
        this.definitions = definitions;
    }

    /** What an agent is for one request. */
    record Resolved(String instructions, List<Model> models, List<Model> structuringModels, Toolbox toolbox) {}

    /** Resolve a workflow, which has no model: the versions of the agents of its steps. */
    Resolved resolve(WorkflowDefinition workflow, OptionValues settings, Cancellation cancellation) {
        Map<String, AgentDefinition> agents = new LinkedHashMap<>();
        Map<String, String> unavailable = new HashMap<>();
        workflow.children().forEach((stepId, child) -> {
            if (child instanceof AgentDefinition code) {
                try {
                    agents.put(stepId, definitions.resolve(code, settings, cancellation));
                } catch (VersionUnknownException e) {
                    agents.put(stepId, code);
                    unavailable.put(stepId, e.code() + ": " + e.getMessage());
                }
            }
        });
        return new Resolved("", List.of(), List.of(), Toolbox.ofSteps(agents, unavailable));
    }

    /**
     * Resolve an agent.
     *
     * @param models the names of the models to ask in place of its own, or null
     * @param run the run that it is resolved for
     * @param more the tools that it has besides its own
     * @param tasks which of its calls may be background tasks
     * @throws ConfigurationException if its definition is wrong for this request
     * @throws HookException if one of its dynamic settings threw or took too long
     */
    Resolved resolve(
            AgentDefinition agent,
            @Nullable List<String> models,
            RunInfo run,
            OptionValues settings,
            List<Tool> more,
            BackgroundOptions tasks,
            Cancellation cancellation) {
        RequestContext context = run.requestContext();
        Callees callees = callees(agent, settings, cancellation);
        if (!agent.functions().dynamic()) {
            return define(agent, models, context, settings, callees, more, tasks);
        }
        try {
            return root.callouts()
                    .call(
                            CallSite.of(CallInfo.Kind.DEFINITION, agent.id(), run, root.runId()),
                            settings.get(Options.TIME_LIMITS).get(TimeLimit.HOOK),
                            cancellation,
                            () -> define(agent, models, context, settings, callees, more, tasks));
        } catch (BoundedCalls.TimedOutException e) {
            throw new HookException("The dynamic settings of agent '" + agent.id() + "' took too long.", e);
        } catch (BoundedCalls.ThrewException e) {
            if (e.thrown() instanceof ConfigurationException wrong) {
                throw wrong;
            }
            throw new HookException(
                    "The dynamic settings of agent '" + agent.id() + "' failed: "
                            + root.redactor().sentence(e.thrown()),
                    e.thrown());
        }
    }

    private Resolved define(
            AgentDefinition agent,
            @Nullable List<String> models,
            RequestContext context,
            OptionValues settings,
            Callees callees,
            List<Tool> more,
            BackgroundOptions tasks) {
        Toolbox toolbox = Toolbox.of(
                agent.workflows(),
                callees.agents(),
                callees.unavailable(),
                both(agent, agent.toolsFor(context), more),
                settings.get(Options.RESULT_REFERENCES),
                tasks);
        List<String> active = settings.get(Options.ACTIVE_TOOLS);
        toolbox.requireKnown(active, "option 'activeTools'");
        toolbox.requireOffered(settings.get(Options.TOOL_CHOICE), active, "option 'toolChoice'");
        return new Resolved(
                instructions(agent, context),
                root.models()
                        .apply(
                                models == null
                                        ? given(agent, "modelFrom", agent.modelFor(context), "a model")
                                        : ModelChoice.of(models)),
                structuringModels(settings),
                toolbox);
    }

    /** The versions of the sub-agents by key, and why some cannot be called. */
    private record Callees(Map<String, AgentDefinition> agents, Map<String, String> unavailable) {}

    private Callees callees(AgentDefinition agent, OptionValues settings, Cancellation cancellation) {
        Map<String, AgentDefinition> agents = new LinkedHashMap<>();
        Map<String, String> unavailable = new HashMap<>();
        for (Map.Entry<String, AgentDefinition> each : agent.agents().entrySet()) {
            String key = each.getKey();
            agents.put(key, version(key, each.getValue(), settings, unavailable, cancellation));
        }
        return new Callees(agents, unavailable);
    }

    /** Return the version of a sub-agent that is selected; without it the agent in code is offered, but cannot be called. */
    private AgentDefinition version(
            String key,
            AgentDefinition code,
            OptionValues settings,
            Map<String, String> unavailable,
            Cancellation cancellation) {
        try {
            AgentDefinition version = definitions.resolve(code, settings, cancellation);
            if (!version.description().isBlank()) {
                return version;
            }
            unavailable.put(
                    key,
                    "Version '" + version.version() + "' of agent '" + code.id()
                            + "' has no description, so nothing can be delegated to it. Do the work without it.");
        } catch (VersionUnknownException e) {
            unavailable.put(
                    key, e.code() + ": " + e.getMessage() + " The agent was not called. Do the work without it.");
        }
        return code;
    }

    private static List<Tool> both(AgentDefinition agent, List<Tool> own, List<Tool> more) {
        List<Tool> both = new ArrayList<>(own);
        for (Tool tool : more) {
            if (own.stream().anyMatch(each -> each.name().equals(tool.name()))) {
                throw new ConfigurationException("Agent '" + agent.id() + "': its memory needs the name '" + tool.name()
                        + "', which one of its tools has; give that another name.");
            }
            both.add(tool);
        }
        return both;
    }

    private static <T> T given(AgentDefinition agent, String function, @Nullable T made, String instead) {
        if (made == null) {
            throw new ConfigurationException(
                    "Agent '" + agent.id() + "': " + function + " returned null; return " + instead + ".");
        }
        return made;
    }

    private List<Model> structuringModels(OptionValues settings) {
        StructuredOutput wanted = settings.get(Options.STRUCTURED_OUTPUT);
        return wanted == null || wanted.structuringModels().isEmpty()
                ? List.of()
                : root.models().apply(ModelChoice.of(wanted.structuringModels()));
    }

    private static String instructions(AgentDefinition agent, RequestContext context) {
        String own = given(agent, "instructionsFrom", agent.instructionsFor(context), "an empty text for none");
        JsonSchema output = agent.delegation().output();
        return output == null ? own : plus(own, TypedAnswer.inWords(output));
    }

    /** Return instructions with more of them. */
    static String plus(String instructions, String more) {
        return instructions.isBlank() ? more : instructions + "\n\n" + more;
    }
}
