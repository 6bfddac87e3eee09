package dev.chargehand.internal.engine.tree;

import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.kind.MaxSteps;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.event.EventSink;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RootScope;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a run's first fact and its agent's definition what the run works with.
 *
 * @param root what the whole tree shares
 * @param definitions find the versions of agents
 * @param tenantId the tenant that it belongs to
 * @param sink where the tree reports its events, or null if there are no listeners
 */
record RunScopeFactory(
        RootScope root,
        DefinitionRegistry definitions,
        String tenantId,
        @Nullable EventSink sink) {

    private static final BackgroundOptions NO_TASKS =
            BackgroundOptions.builder().build();

    /**
     * Resolve what a run works with.
     *
     * @throws ConfigurationException if something of it does not fit, or cannot be found
     */
    RunScope of(
            RunDefinition definition,
            RunId runId,
            Fact.Started started,
            OptionValues hooks,
            RequestContext context,
            InheritedScope above) {
        OptionValues options = hooks.with(Option.Part.SETTINGS, started.settings());
        RunAssembly.of(options).check(definition, options);
        ThreadLink thread = started.thread();
        root.memories().check(definition.id(), definition.memory(), options, thread);
        RunInfo info = RunInfo.builder(runId, started.path(), definition.id())
                .agentName(definition.name())
                .version(definition.version())
                .tenantId(tenantId)
                .threadId(thread == null ? null : thread.id())
                .resourceId(started.resourceId())
                .requestContext(context)
                .build();
        AgentResolver.Resolved resolved =
                switch (definition) {
                    case AgentDefinition agent ->
                        new AgentResolver(root, definitions)
                                .resolve(
                                        agent,
                                        started.models(),
                                        info,
                                        options,
                                        root.memories().tools(agent.memory(), options, thread),
                                        tasks(agent, started),
                                        above.cancellation());
                    case WorkflowDefinition workflow ->
                        new AgentResolver(root, definitions).resolve(workflow, options, above.cancellation());
                };
        String added = started.instructions();
        return new RunScope(
                root,
                definition,
                added == null ? resolved.instructions() : AgentResolver.plus(resolved.instructions(), added),
                resolved.models(),
                resolved.structuringModels(),
                resolved.toolbox(),
                options,
                MaxSteps.of(started),
                info,
                above.with(options.get(Options.REQUIRE_TOOL_APPROVAL)),
                above.notesOfRoot(definition, thread),
                above.with(definition),
                above.cancellation(),
                new RunEvents(sink, runId, started.path()));
    }

    /** Return which calls of a run may be background tasks: those of a root run whose thread receives the results. */
    private static BackgroundOptions tasks(AgentDefinition agent, Fact.Started started) {
        if (started.parentRunId() != null
                || !agent.background().isUsed()
                || !RunAssembly.startsTasks(started.settings())) {
            return NO_TASKS;
        }
        if (started.thread() == null) {
            throw new ConfigurationException("Agent '" + agent.id()
                    + "' may delegate in the background, and its run has no thread that could receive"
                    + " the results; add .thread(\"...\") to the options of the call.");
        }
        return agent.background();
    }
}
