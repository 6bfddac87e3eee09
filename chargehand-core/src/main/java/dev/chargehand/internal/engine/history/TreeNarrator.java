package dev.chargehand.internal.engine.history;

import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.MaxSteps;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.event.EventCollector;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reports the stored facts of a tree of runs in their order, page by page, by the narrator that reports them live. Used
 * by one thread.
 */
public final class TreeNarrator {

    private static final int PAGE = 500;
    private static final long FIRST_EPOCH = 1;

    private final Store store;
    private final String tenantId;
    private final RunId root;
    private final Function<AgentPath, Optional<RunDefinition>> agents;
    private final EventCollector collector;
    private final Map<RunId, StoredRun> runs = new HashMap<>();
    private @Nullable EventId after;
    private long position;
    private long epoch = FIRST_EPOCH;

    /**
     * A stored event.
     *
     * @param position the tree position of its fact
     * @param epoch the epoch of the root run in which its fact was stored
     */
    public record Narrated(RunEvent event, long position, long epoch) {}

    private static final class StoredRun {

        private final Narrator narrator;
        private State state;
        private long position;

        private StoredRun(Narrator narrator, State state) {
            this.narrator = narrator;
            this.state = state;
        }
    }

    /**
     * Make it.
     *
     * @param store that of the tenant
     * @param agents finds the agent of a path, if it is here
     * @param after the event after which it starts, or null for the first event
     */
    public TreeNarrator(
            Store store,
            String tenantId,
            RunId root,
            Function<AgentPath, Optional<RunDefinition>> agents,
            @Nullable EventId after) {
        this.store = store;
        this.collector = new EventCollector(tenantId);
        this.tenantId = tenantId;
        this.root = root;
        this.agents = agents;
        this.after = after;
    }

    /** Return all events that are stored. */
    public static List<RunEvent> all(
            Store store, String tenantId, RunId root, Function<AgentPath, Optional<RunDefinition>> agents) {
        TreeNarrator narrator = new TreeNarrator(store, tenantId, root, agents, null);
        List<RunEvent> events = new ArrayList<>();
        boolean more = true;
        while (more) {
            more = narrator.read(narrated -> events.add(narrated.event()));
        }
        return List.copyOf(events);
    }

    /** Leave out the events up to this one, which were received otherwise. */
    public void skipTo(EventId received) {
        after = received;
    }

    /**
     * Report the next facts.
     *
     * @return whether there were any; more may be there then
     */
    public boolean read(Consumer<Narrated> to) {
        List<TreeFact> page = store.readTree(root, position, PAGE);
        if (position == 0 && !isPlaced(page)) {
            return readByTime(to);
        }
        if (!runs.isEmpty() || !page.isEmpty()) {
            narrate(page, to);
        }
        return !page.isEmpty();
    }

    /**
     * Report the facts of the whole tree that were not read.
     *
     * @return whether there were any
     */
    public boolean read(List<TreeFact> whole, Consumer<Narrated> to) {
        List<TreeFact> rest =
                whole.stream().filter(fact -> fact.position() > position).toList();
        narrate(rest, to);
        return !rest.isEmpty();
    }

    /** Return whether no fact was read. */
    public boolean isAtStart() {
        return runs.isEmpty();
    }

    /** Return whether a provisional event of a run that follows a fact is older than what was read of the run. */
    public boolean isStale(RunId runId, long follows) {
        StoredRun run = runs.get(runId);
        return run != null && (follows < run.position || run.state.status().isEnded());
    }

    /** A tree whose first fact has a place has a place for each. */
    private boolean isPlaced(List<TreeFact> page) {
        return page.isEmpty()
                ? store.read(root, 0).isEmpty()
                : page.getFirst().runId().equals(root) && page.getFirst().index() == 0;
    }

    private boolean readByTime(Consumer<Narrated> to) {
        List<RunEvent> events = passed(HistoryByTime.of(store, tenantId, root, agents));
        events.forEach(event -> to.accept(new Narrated(event, 0, epoch)));
        events.stream().flatMap(event -> event.origin().id().stream()).forEach(this::skipTo);
        return !events.isEmpty();
    }

    private void narrate(List<TreeFact> page, Consumer<Narrated> to) {
        List<Fact> facts = new ArrayList<>(page.size());
        page.forEach(each -> facts.add(FactCodec.read(each.entry())));
        int last = page.size() - 1;
        boolean continues = page.size() == PAGE && facts.get(last) instanceof Fact.Answered;
        for (int i = 0; i <= (continues ? last - 1 : last); i++) {
            TreeFact placed = page.get(i);
            boolean followed = i < last && page.get(i + 1).runId().equals(placed.runId());
            narrate(placed, facts.get(i), followed ? facts.get(i + 1) : null);
            position = placed.position();
            List<RunEvent> events = collector.drain();
            if (after == null || position >= after.position()) {
                passed(events).forEach(event -> to.accept(new Narrated(event, position, epoch)));
            }
        }
    }

    private void narrate(TreeFact placed, Fact fact, @Nullable Fact next) {
        StoredRun run;
        if (fact instanceof Fact.Started started) {
            run = started(placed.runId(), started);
            runs.put(placed.runId(), run);
        } else {
            run = run(placed.runId());
            run.state = run.state.after(fact);
        }
        if (placed.runId().equals(root)) {
            epoch = epochAfter(fact, epoch);
        }
        run.position = placed.position();
        if (fact instanceof Fact.Answered answered) {
            collector.at(answered.startedAt());
            run.narrator.catchUp(answered);
        }
        collector.at(fact.at());
        run.narrator.replay(new Journal.Stored(fact, run.state, placed.position()), next);
        if (run.state.isAtRest()) {
            run.narrator.runOver(run.state, WaitingCalls.below(run.state, this::unended));
        }
    }

    /** Return the epoch of a root run after one of its facts, of which some say it; an earlier version stored none. */
    public static long epochAfter(Fact fact, long before) {
        return switch (fact) {
            case Fact.ExecutionStarted execution -> execution.epoch();
            case Fact.Resumed resumed -> resumed.epoch() == 0 ? before + 1 : resumed.epoch();
            default -> before;
        };
    }

    private StoredRun started(RunId runId, Fact.Started started) {
        if (runId.equals(root)) {
            collector.network(RunAssembly.of(started.settings()).hasNamesOfNetworks());
        }
        Boolean stored = started.iterations();
        boolean iterations = stored == null ? hasSubAgents(runId, started) : stored;
        RunEvents events = new RunEvents(collector, runId, started.path());
        Narrator narrator = RunAssembly.of(started.settings())
                .assemble(events, iterations, MaxSteps.of(started))
                .narrator();
        return new StoredRun(narrator, State.of(runId, started, List.of()));
    }

    /** An earlier version did not store whether steps are iterations. */
    private boolean hasSubAgents(RunId runId, Fact.Started started) {
        return agents.apply(started.path()).map(RunDefinition::isSupervisor).orElseGet(() -> !Journal.read(store, runId)
                .getLast()
                .after()
                .conversation()
                .subAgentsInvoked()
                .isEmpty());
    }

    private StoredRun run(RunId runId) {
        StoredRun run = runs.get(runId);
        if (run == null) {
            throw new IllegalStateException("Run " + runId + " has no first fact in its tree.");
        }
        return run;
    }

    private Optional<State> unended(RunId runId) {
        return Optional.ofNullable(runs.get(runId)).map(run -> run.state).filter(state -> !state.status()
                .isEnded());
    }

    /** Return what comes after the last event that was received; what precedes it was received or is superseded. */
    private List<RunEvent> passed(List<RunEvent> events) {
        EventId known = after;
        int from = 0;
        for (int i = 0; known != null && i < events.size(); i++) {
            Optional<EventId> id = events.get(i).origin().id();
            if (id.isPresent() && id.get().compareTo(known) <= 0) {
                from = i + 1;
            }
        }
        return events.subList(from, events.size());
    }
}
