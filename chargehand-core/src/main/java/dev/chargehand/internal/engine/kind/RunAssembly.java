package dev.chargehand.internal.engine.kind;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.agent.Stages;
import dev.chargehand.internal.agent.TerminalFacts;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.State;
import dev.chargehand.spi.IdSource;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Assembles a run by its kind. This is the one place that asks for the kind of a run, except for its state, which is
 * folded by kind on a lower layer.
 */
public sealed interface RunAssembly permits AgentAssembly, NetworkAssembly, WorkflowAssembly {

    /** Return the assembly of runs with these settings. */
    static RunAssembly of(OptionValues settings) {
        return switch (settings.get(Options.KIND)) {
            case ORDINARY -> new AgentAssembly();
            case NETWORK -> new NetworkAssembly();
            case WORKFLOW -> new WorkflowAssembly();
        };
    }

    /**
     * Check that the options of a run fit its kind.
     *
     * @throws ConfigurationException if they do not
     */
    void check(RunDefinition definition, OptionValues options);

    /**
     * Reject options of workflows in a run of an agent.
     *
     * @throws ConfigurationException if it has one
     */
    static void requireNoneOfWorkflows(RunDefinition definition, OptionValues options) {
        for (Option<?> option : List.of(Options.FROM, Options.INITIAL_STATE, Options.PAUSE_AFTER_EACH)) {
            if (!Objects.equals(options.get(option), option.byDefault())) {
                throw new ConfigurationException("Agent '" + definition.id() + "': option '" + option.name()
                        + "' is for workflows, and an agent has no use for it; leave it out.");
            }
        }
    }

    /**
     * Return the facts of what a run has when it starts, without having executed it.
     *
     * @param started its first fact
     * @throws ConfigurationException if the options do not fit the definition
     */
    default List<Fact> given(RunDefinition definition, OptionValues options, Fact.Started started, IdSource ids) {
        return List.of();
    }

    /**
     * Check that a run which has started can continue with its definition of today.
     *
     * @throws dev.chargehand.error.WorkflowChangedException if it cannot
     */
    void checkContinues(RunDefinition definition, State state);

    /** Decide about the calls that were being executed when their process died and that may not be executed again. */
    default List<Fact> interrupted(RunScope run, State state, Instant at) {
        return TerminalFacts.ofInterrupted(state, call -> TerminalFacts.ofInterrupted(run, call, at));
    }

    /**
     * What a run is advanced and reported by.
     *
     * @param stages makes its stages
     */
    record Parts(Narrator narrator, Function<RunScope, Stages> stages) {}

    /** The parts of a run that starts or is resumed. */
    record Ready(Narrator narrator, Stages stages) {

        /** Return what is stored with the start of the run. */
        public List<Fact> first(State started) {
            return stages.first(started);
        }
    }

    /**
     * Make the parts of a run.
     *
     * @param supervisor whether the agent has sub-agents
     */
    Parts assemble(RunEvents events, boolean supervisor, int maxSteps);

    /** Make the parts of a run that starts or is resumed, with its stages. */
    default Ready ready(RunScope run, boolean supervisor) {
        Parts parts = assemble(run.events(), supervisor, run.maxSteps());
        return new Ready(parts.narrator(), parts.stages().apply(run));
    }

    /** Return where calls that start runs of this kind arrive, before the id of the agent; idempotency keys count for it. */
    String route();

    /** Return whether a run of this kind has a thread of its own if its caller names none. */
    boolean needsThread();

    /**
     * Return whether calls of a run with these settings may be background tasks, and whether it reads the results of others: it is of such
     * a kind, and does not leave its thread as it is.
     */
    static boolean startsTasks(OptionValues settings) {
        return of(settings).startsTasks() && !settings.get(Options.MEMORY).isReadOnly();
    }

    /** Return whether calls of a run of this kind may be background tasks. */
    default boolean startsTasks() {
        return false;
    }

    /** Return whether the events of a root run of this kind, and of its descendants, have the names of networks. */
    boolean hasNamesOfNetworks();
}
