package dev.chargehand.internal.engine.history;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.event.EventCollector;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Emits the events of a tree of runs again of which an earlier version stored facts without a place.
 *
 * <p>Those come first: each run's in their order, and which run continues is a matter of time, as far as it can be.
 * Clocks of several processes differ, and the relations of a run to its child take precedence.
 */
final class HistoryByTime {

    /** What comes next, and of one moment, of the run that is further below. */
    private static final Comparator<PastRun> BY_TIME = Comparator.comparing(PastRun::nextAt)
            .thenComparing(PastRun::nextRank)
            .thenComparing(Comparator.comparing(PastRun::depth).reversed());

    private final Store store;
    private final Function<AgentPath, Optional<RunDefinition>> agents;
    private final Map<RunId, PastRun> runs = new LinkedHashMap<>();
    private final Map<RunId, Map<Long, Long>> positions = new HashMap<>();
    private final EventCollector collector;

    private HistoryByTime(Store store, String tenantId, Function<AgentPath, Optional<RunDefinition>> agents) {
        this.collector = new EventCollector(tenantId);
        this.store = store;
        this.agents = agents;
    }

    /**
     * Report a tree of runs from its root.
     *
     * @param agents finds the agent of a path, if it is here
     */
    static List<RunEvent> of(
            Store store, String tenantId, RunId root, Function<AgentPath, Optional<RunDefinition>> agents) {
        HistoryByTime history = new HistoryByTime(store, tenantId, agents);
        for (TreeFact fact : store.readTree(root, 0, Integer.MAX_VALUE)) {
            history.positions
                    .computeIfAbsent(fact.runId(), run -> new HashMap<>())
                    .put(fact.index(), fact.position());
        }
        history.read(null, root);
        history.narrate();
        return history.collector.drain();
    }

    private void read(@Nullable PastRun parent, RunId runId) {
        List<Journal.Stored> facts = placed(runId, Journal.read(store, runId));
        State last = facts.getLast().after();
        Boolean iterations = last.started().iterations();
        boolean supervisor = iterations == null
                ? agents.apply(last.path())
                        .map(RunDefinition::isSupervisor)
                        .orElse(!last.conversation().subAgentsInvoked().isEmpty())
                : iterations;
        if (parent == null) {
            collector.network(RunAssembly.of(last.started().settings()).hasNamesOfNetworks());
        }
        PastRun run = new PastRun(parent, facts, supervisor, collector);
        runs.put(runId, run);
        for (Journal.Stored stored : facts) {
            if (stored.fact() instanceof Fact.CallOpened opened
                    && opened.child() != null
                    && !runs.containsKey(opened.child().runId())
                    && isOfTree(opened.child().runId(), last.started().rootRunId())) {
                read(run, opened.child().runId());
            }
        }
    }

    /** Copied steps of a fork name the runs of another tree. */
    private boolean isOfTree(RunId runId, RunId root) {
        return store.find(runId).filter(run -> run.rootRunId().equals(root)).isPresent();
    }

    private List<Journal.Stored> placed(RunId runId, List<Journal.Stored> facts) {
        Map<Long, Long> known = positions.getOrDefault(runId, Map.of());
        List<Journal.Stored> placed = new ArrayList<>(facts.size());
        for (Journal.Stored each : facts) {
            long position = known.getOrDefault((long) placed.size(), 0L);
            placed.add(new Journal.Stored(each.fact(), each.after(), position));
        }
        return placed;
    }

    private void narrate() {
        for (Optional<PastRun> next = next(); next.isPresent(); next = next()) {
            next.get().narrateNext(collector, below -> Optional.ofNullable(runs.get(below))
                    .flatMap(PastRun::unended));
        }
    }

    private Optional<PastRun> next() {
        List<PastRun> all =
                runs.values().stream().filter(run -> !run.isNarrated()).toList();
        List<PastRun> unfinished =
                all.stream().filter(run -> run.nextPosition() == 0).toList();
        if (unfinished.isEmpty()) {
            return all.stream().min(Comparator.comparingLong(PastRun::nextPosition));
        }
        return unfinished.stream()
                .filter(run -> run.isNextDue(id -> Optional.ofNullable(runs.get(id))))
                .min(BY_TIME)
                .or(() -> unfinished.stream()
                        .min(BY_TIME)); // of a run that goes on meanwhile, one part is older than another
    }
}
