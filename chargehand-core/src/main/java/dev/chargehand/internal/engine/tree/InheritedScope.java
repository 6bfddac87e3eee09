package dev.chargehand.internal.engine.tree;

import dev.chargehand.hook.ToolCallRequest;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.RootNotes;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.memory.WorkingText;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.AgentPath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a run is under.
 *
 * @param agentIds the agents from the root down to the one above it
 * @param notesOfRoot where the working memory of the root run is, or null if there is none, or this is the root run
 * @param approvalPolicies those of the runs above it
 * @param cancellation ends the run, and all work with the same cancellation
 */
record InheritedScope(
        List<String> agentIds,
        @Nullable RootNotes notesOfRoot,
        List<Predicate<ToolCallRequest>> approvalPolicies,
        Cancellation cancellation) {

    /** Return what a root run is under: nothing but what cancels it. */
    static InheritedScope root(Cancellation cancellation) {
        return new InheritedScope(List.of(), null, List.of(), cancellation);
    }

    /**
     * Return what a stored root run is under; a background task is under the policies of the agents above it too.
     *
     * @param hooks those of the run, which have these policies if the process that started it still has them
     */
    static InheritedScope of(
            State state,
            RunDefinition definition,
            OptionValues hooks,
            RuntimeEnvironment environment,
            Cancellation cancellation) {
        TaskOrigin origin = state.started().background().origin();
        if (origin == null) {
            return root(cancellation);
        }
        boolean isBound = hooks.codeBeyond(definition.defaultOptions()).contains(Options.REQUIRE_TOOL_APPROVAL.name());
        List<Predicate<ToolCallRequest>> policies = new ArrayList<>();
        for (int depth = 1; depth < state.path().depth() && !isBound; depth++) {
            AgentPath above = new AgentPath(state.path().segments().subList(0, depth));
            environment
                    .definitions()
                    .find(above)
                    .map(each -> each.defaultOptions().get(Options.REQUIRE_TOOL_APPROVAL))
                    .ifPresent(policies::add);
        }
        return new InheritedScope(origin.agentIds(), null, policies, cancellation);
    }

    /** Return what the children of a run are under. */
    static InheritedScope childOf(RunScope parent) {
        return new InheritedScope(
                parent.agentsOnPath(), parent.notesOfRoot(), parent.approvalPolicies(), parent.cancellation());
    }

    /** Return where the working memory of the root run is, which may be that of this agent. */
    @Nullable
    RootNotes notesOfRoot(RunDefinition definition, @Nullable ThreadLink thread) {
        return agentIds.isEmpty() && thread != null
                ? definition
                        .memory()
                        .workingMemory()
                        .map(working -> WorkingText.notes(working, thread))
                        .orElse(null)
                : notesOfRoot;
    }

    /** Return the agents down to this one. */
    List<String> with(RunDefinition definition) {
        List<String> longer = new ArrayList<>(agentIds);
        longer.add(definition.id());
        return List.copyOf(longer);
    }

    /** Return the policies down to this one, if there is one. */
    List<Predicate<ToolCallRequest>> with(@Nullable Predicate<ToolCallRequest> policy) {
        if (policy == null) {
            return approvalPolicies;
        }
        List<Predicate<ToolCallRequest>> more = new ArrayList<>(approvalPolicies);
        more.add(policy);
        return List.copyOf(more);
    }
}
