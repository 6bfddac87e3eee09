package dev.chargehand.internal.engine.kind;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.WorkflowChangedException;
import dev.chargehand.internal.agent.TerminalFacts;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.WorkflowEvents;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.option.EntryStart;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.internal.workflow.GivenRounds;
import dev.chargehand.internal.workflow.InterruptedSteps;
import dev.chargehand.internal.workflow.WorkflowStages;
import dev.chargehand.spi.IdSource;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The assembly of a workflow's run. */
record WorkflowAssembly() implements RunAssembly {

    /** The options that a workflow, or the agents of its nested runs, have a use for. */
    private static final Set<Option<?>> USED = Set.of(
            Options.TOOL_CALL_CONCURRENCY,
            Options.LIMITS,
            Options.TIME_LIMITS,
            Options.BUDGET,
            Options.PRICES,
            Options.REQUIRE_TOOL_APPROVAL,
            Options.ALL_TOOLS_NEED_APPROVAL,
            Options.APPROVAL_EXPIRY,
            Options.SELF_APPROVAL,
            Options.REQUESTER,
            Options.RESOURCE,
            Options.METADATA,
            Options.VERSIONS,
            Options.DEFAULT_VERSION,
            Options.ON_FINISH,
            Options.ON_ERROR,
            Options.ON_ABORT,
            Options.LISTENERS,
            Options.REQUEST_CONTEXT,
            Options.IDEMPOTENCY_KEY,
            Options.IDEMPOTENCY_DIGEST,
            Options.ON_CLOSE,
            Options.FROM,
            Options.INITIAL_STATE,
            Options.PAUSE_AFTER_EACH);

    /** An option that would have no effect is rejected. */
    @Override
    public void check(RunDefinition definition, OptionValues options) {
        OptionValues own = definition.defaultOptions();
        for (Option<?> option : Options.all()) {
            if (!USED.contains(option) && !Objects.equals(options.get(option), own.get(option))) {
                throw new ConfigurationException("Workflow '" + definition.id() + "': option '" + option.name()
                        + "' is for agents, and a workflow has no use for it; leave it out.");
            }
        }
    }

    /** A run that starts in the middle has the rounds before that. */
    @Override
    public List<Fact> given(RunDefinition definition, OptionValues options, Fact.Started started, IdSource ids) {
        EntryStart from = options.get(Options.FROM);
        return from == null || !(definition instanceof WorkflowDefinition of)
                ? List.of()
                : new GivenRounds("A run of workflow '" + of.id() + "'", "", of.workflow(), ids, started.at())
                        .before(
                                from.entry(),
                                (WorkflowState) State.of(started.rootRunId(), started, List.of()),
                                from.outputs());
    }

    /** The entries that a run has reached must be as they were; those after them may change. */
    @Override
    public void checkContinues(RunDefinition definition, State state) {
        DefinitionLink started = state.started().definition();
        if (started == null || !(definition instanceof WorkflowDefinition of)) {
            return;
        }
        List<String> today = of.workflow().shape();
        List<String> reached = reached(started.shape(), (WorkflowState) state);
        for (int i = 0; i < reached.size(); i++) {
            String now = i < today.size() ? today.get(i) : "nothing";
            boolean isOpen = i == reached.size() - 1 && ((WorkflowState) state).open() != null;
            if (!now.equals(reached.get(i))
                    && !(isOpen && hasWhatIsPlanned(of.workflow(), now, (WorkflowState) state))) {
                throw new WorkflowChangedException("Run " + state.runId() + " of workflow '" + definition.id()
                        + "' has reached entry " + (i + 1) + " of its definition, '" + reached.get(i)
                        + "', where the definition has '" + now + "' today. Register version '" + started.version()
                        + "' to continue it, or cancel it.");
            }
        }
    }

    /** The open entry may change in steps that its round does not call. */
    private static boolean hasWhatIsPlanned(Workflow<?, ?> workflow, String now, WorkflowState state) {
        RoundFact.Planned planned = state.round().planned();
        return workflow.entries().stream()
                .filter(entry -> entry.id().equals(planned.entry()) && now.startsWith(entry.kind() + " "))
                .map(entry -> entry.steps().stream().map(Step::id).toList())
                .anyMatch(steps ->
                        planned.calls().stream().allMatch(call -> steps.isEmpty() || steps.contains(call.step())));
    }

    /** Return the shapes of the entries up to the one that the run is at. */
    private static List<String> reached(List<String> shape, WorkflowState state) {
        Round open = state.open();
        Round at = open != null
                ? open
                : state.rounds().isEmpty() ? null : state.rounds().getLast();
        if (at == null) {
            return List.of();
        }
        for (int i = 0; i < shape.size(); i++) {
            if (idIn(shape.get(i)).equals(at.planned().entry())) {
                return shape.subList(0, i + 1);
            }
        }
        return shape;
    }

    private static String idIn(String shape) {
        String id = shape.substring(shape.indexOf(' ') + 1);
        return id.contains(":") ? id.substring(0, id.indexOf(':')) : id;
    }

    @Override
    public List<Fact> interrupted(RunScope run, State state, Instant at) {
        return TerminalFacts.ofInterrupted(state, call -> InterruptedSteps.decide(run, call, at));
    }

    @Override
    public Parts assemble(RunEvents events, boolean supervisor, int maxSteps) {
        return new Parts(
                new Narrator(events, new WorkflowEvents(events)),
                run -> new WorkflowStages(run, run.workflow(), run.options().get(Options.TOOL_CALL_CONCURRENCY)));
    }

    @Override
    public String route() {
        return "workflows/";
    }

    @Override
    public boolean needsThread() {
        return false;
    }

    @Override
    public boolean hasNamesOfNetworks() {
        return false;
    }
}
