package dev.chargehand.internal.definition;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.version.Version;
import dev.chargehand.version.Versions;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A call of an agent: the version of it that is executed, and the options of the run, with the versions that it selects.
 *
 * @param definition the version of the agent
 * @param options the agent's default options and the changes of the call
 */
public record AgentCall(AgentDefinition definition, OptionValues options) {

    /**
     * Resolve a call.
     *
     * @param code the agent in code
     * @param changes of the call, made to the default options of the version that is executed, and to those of the agent in code to know
     *     which version that is
     * @throws ConfigurationException if a version is selected of an agent that does not exist
     * @throws VersionUnknownException if a version of the called agent is selected that does not exist, or the
     *     catalog fails
     */
    public static AgentCall of(DefinitionRegistry registry, AgentDefinition code, UnaryOperator<OptionValues> changes) {
        OptionValues options = changed(code, changes);
        requireKnown(registry, code, options);
        AgentDefinition definition = registry.resolve(code, options, new Cancellation());
        if (Objects.equals(definition.version(), code.version())) {
            return new AgentCall(code, options);
        }
        OptionValues own = changed(definition, changes);
        requireKnown(registry, definition, own);
        return new AgentCall(definition, own);
    }

    /**
     * Return the options of a call of a workflow, with the versions that its request selects.
     *
     * @throws ConfigurationException if a version is selected of an agent that does not exist
     */
    public static OptionValues selected(
            DefinitionRegistry registry, WorkflowDefinition workflow, OptionValues options) {
        Versions ofRequest = Versions.in(options.get(Options.REQUEST_CONTEXT));
        OptionValues selected =
                below(options, ofRequest.agents(), ofRequest.defaultVersion().orElse(null));
        registry.requireKnown(
                "The versions of a run of workflow '" + workflow.id() + "'",
                selected.get(Options.VERSIONS).keySet(),
                List.of(workflow));
        return selected;
    }

    /** What the call selects wins, then what its request does, then the agent. */
    private static OptionValues changed(AgentDefinition agent, UnaryOperator<OptionValues> changes) {
        OptionValues defaults = agent.defaultOptions();
        Map<String, Version> own = defaults.get(Options.VERSIONS);
        Version ownDefault = defaults.get(Options.DEFAULT_VERSION);
        boolean selects = !own.isEmpty() || ownDefault != null;
        OptionValues options =
                changes.apply(selects ? defaults.without(Options.VERSIONS).without(Options.DEFAULT_VERSION) : defaults);
        Versions ofRequest = Versions.in(options.get(Options.REQUEST_CONTEXT));
        OptionValues requested =
                below(options, ofRequest.agents(), ofRequest.defaultVersion().orElse(null));
        return below(requested, own, ownDefault);
    }

    private static OptionValues below(OptionValues options, Map<String, Version> agents, @Nullable Version byDefault) {
        OptionValues named = agents.isEmpty()
                ? options
                : options.with(Options.VERSIONS, agents).plus(Options.VERSIONS, options.get(Options.VERSIONS));
        return byDefault == null || options.get(Options.DEFAULT_VERSION) != null
                ? named
                : named.with(Options.DEFAULT_VERSION, byDefault);
    }

    private static void requireKnown(DefinitionRegistry registry, AgentDefinition agent, OptionValues options) {
        Set<String> ids = new LinkedHashSet<>(options.get(Options.VERSIONS).keySet());
        for (AgentDefinition below : agent.agents().values()) {
            addSelected(below, ids);
        }
        registry.requireKnown("The versions of a run of agent '" + agent.id() + "'", ids, List.of(agent));
    }

    private static void addSelected(AgentDefinition agent, Collection<String> ids) {
        ids.addAll(agent.defaultOptions().get(Options.VERSIONS).keySet());
        for (AgentDefinition below : agent.agents().values()) {
            addSelected(below, ids);
        }
    }
}
