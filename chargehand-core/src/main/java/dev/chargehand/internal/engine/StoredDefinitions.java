package dev.chargehand.internal.engine;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.error.WorkflowChangedException;
import dev.chargehand.error.WorkflowUnknownException;
import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.store.RunRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds with which definitions stored runs of a tenant continue: those that they and their nested runs were started with. It only
 * reads, so that a run whose definition is not here is left as it is. Thread-safe.
 */
public final class StoredDefinitions {

    private final Engine engine;

    /** Make it for a tenant. */
    public StoredDefinitions(Engine engine) {
        this.engine = engine;
    }

    /** Whether a run can continue here. */
    public sealed interface Found {}

    /** It can. */
    public record Here(RunDefinition definition, Fact.Started started) implements Found {}

    /** It cannot: something is missing or has changed. */
    public record Missing(Left why, ChargehandException error) implements Found {}

    /** Why a run is left alone. */
    public enum Left {
        AGENT,
        VERSION,
        WORKFLOW,
        CHANGED,
        HOOKS,
        STUCK,
        TIMED_OUT
    }

    /** Find with what a run continues. */
    public Found find(RunRecord run) {
        State state = SuspendedRuns.look(engine.store(), run);
        Optional<RunDefinition> definition;
        try {
            definition = engine.findDefinitionOf(state);
        } catch (VersionUnknownException e) {
            return new Missing(Left.VERSION, e);
        }
        if (definition.isEmpty()) {
            return missing(state);
        }
        try {
            RunAssembly.of(state.started().settings()).checkContinues(definition.get(), state);
        } catch (WorkflowChangedException e) {
            return new Missing(Left.CHANGED, e);
        }
        ChargehandException below = missingBelow(definition.get(), state);
        if (below == null) {
            return new Here(definition.get(), state.started());
        }
        return new Missing(below instanceof WorkflowChangedException ? Left.CHANGED : Left.VERSION, below);
    }

    private Missing missing(State state) {
        Fact.Started started = state.started();
        DefinitionRegistry known = engine.definitions();
        DefinitionLink link = started.definition();
        String version = link == null ? "" : " with version '" + link.version() + "'";
        String here = started.agentId() + "', which is not in this runtime. It has: "
                + known.versionsOf(started.agentId()) + ". Give it that version too to continue the run, or cancel it.";
        if (state instanceof WorkflowState) {
            return new Missing(
                    Left.WORKFLOW,
                    new WorkflowUnknownException(
                            "Run " + state.runId() + " was started" + version + " of workflow '" + here));
        }
        try {
            RunDefinition ignored = known.requireAgent(started.agentId());
            return new Missing(
                    Left.VERSION,
                    new VersionUnknownException(
                            "Run " + state.runId() + " was started" + version + " of agent '" + here));
        } catch (ConfigurationException e) {
            return new Missing(Left.AGENT, e);
        }
    }

    /** Find what is missing of the runs below a run that have not ended. */
    private @Nullable ChargehandException missingBelow(RunDefinition definition, State state) {
        for (CallState call : state.pendingCalls()) {
            if (call.isOpenDelegation() && definition.childOf(call) != null) {
                ChargehandException missing = missingOf(definition, call);
                if (missing != null) {
                    return missing;
                }
            }
        }
        return null;
    }

    private @Nullable ChargehandException missingOf(RunDefinition above, CallState call) {
        Optional<RunDefinition> below;
        try {
            below = engine.definitions().ofChild(above, call);
        } catch (VersionUnknownException e) {
            return e;
        }
        if (below.isEmpty()) {
            String id = call.child().agentId();
            return new VersionUnknownException("Run " + call.child().runId() + " executes version '"
                    + call.child().version() + "' of '" + id + "', which is not in this runtime. It has: "
                    + engine.definitions().versionsOf(id)
                    + ". Give it that version too to continue the root run, or cancel that.");
        }
        return engine.store()
                .find(call.child().runId())
                .filter(child -> !child.status().isEnded())
                .map(child -> missingOf(below.get(), SuspendedRuns.look(engine.store(), child)))
                .orElse(null);
    }

    private @Nullable ChargehandException missingOf(RunDefinition definition, State child) {
        try {
            RunAssembly.of(child.started().settings()).checkContinues(definition, child);
        } catch (WorkflowChangedException e) {
            return e;
        }
        return missingBelow(definition, child);
    }
}
