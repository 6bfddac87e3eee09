package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.Planned;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.journal.ThreadTexts;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rounds of a run of a workflow that is forked.
 *
 * @param above what precedes the places in it, such as {@code pricing.} in a nested run
 * @param start the run before its first round
 * @param facts the facts of its rounds
 */
record SourceRounds(RunRecord run, String above, WorkflowState start, List<Fact> facts) {

    /**
     * Read a run.
     *
     * @param above what precedes the places in it
     * @throws ConfigurationException if it is of no workflow
     */
    static SourceRounds read(Store store, RunRecord run, String above) {
        List<FactEntry> entries = RunOpening.entries(store, run.runId());
        if (!(RunOpening.executing(run, entries, ThreadTexts.NONE) instanceof WorkflowState start)) {
            throw new ConfigurationException("Run " + run.runId()
                    + " is of no workflow; fork it after one of its steps, with fork(runId, step, changes).");
        }
        List<Fact> facts = new ArrayList<>();
        WorkflowState first = start;
        for (FactEntry entry : entries.subList(1, entries.size())) {
            Fact fact = FactCodec.read(entry);
            if (fact instanceof Fact.ExecutionStarted) {
                first = first.after(fact);
            } else if (isOfARound(fact)) {
                facts.add(fact);
            }
        }
        return new SourceRounds(run, above, first, facts);
    }

    /** When a run waited, was resumed again or was ended in the middle of a round is its own affair. */
    private static boolean isOfARound(Fact fact) {
        return !(fact instanceof Fact.Suspended || fact instanceof Fact.Resumed || fact instanceof Fact.Stopped);
    }

    /** Return the rounds before the last one at a place, if the run has reached that. */
    Optional<CopiedRounds> before(ForkPlace.Part place) {
        int end = last(
                place,
                planned -> planned.entry().equals(place.id())
                        || planned.skipped().contains(place.id())
                        || planned.calls().stream().anyMatch(call -> call.step().equals(place.id())));
        return end < 0 ? Optional.empty() : Optional.of(new CopiedRounds(above, start, facts.subList(0, end)));
    }

    /** Return the last round in which a step was called at a place, with the rounds before it. */
    Optional<OpenedRound> calling(ForkPlace.Part place) {
        int from = last(place, planned -> planned.calls().stream().anyMatch(call -> OpenedRound.isAt(call, place)));
        if (from < 0) {
            return Optional.empty();
        }
        int to = from + 1;
        while (to < facts.size() && !(facts.get(to) instanceof Planned)) {
            to++;
        }
        List<PlannedCall> calls = ((Planned) facts.get(from))
                .calls().stream().filter(call -> OpenedRound.isAt(call, place)).toList();
        return Optional.of(new OpenedRound(
                new CopiedRounds(above, start, facts.subList(0, from)), calls, facts.subList(from, to)));
    }

    private int last(ForkPlace.Part place, Predicate<Planned> isThere) {
        int found = -1;
        for (int i = 0; i < facts.size(); i++) {
            boolean isLater = facts.get(i) instanceof Planned planned
                    && (place.iteration() == null || place.iteration() == planned.iteration())
                    && isThere.test(planned);
            found = isLater ? i : found;
        }
        return found;
    }

    /** Return the rounds of entries before one that the run has not reached, as far as they are complete. */
    CopiedRounds complete(Workflow<?, ?> workflow, String target) {
        List<String> before = workflow.entries().stream()
                .map(entry -> entry.id())
                .takeWhile(id -> !id.equals(target))
                .toList();
        int end = 0;
        for (int i = 0; i < facts.size(); i++) {
            if (facts.get(i) instanceof Planned planned && !before.contains(planned.entry())) {
                break;
            }
            if (facts.get(i) instanceof RoundFact.RoundClosed closed) {
                if (closed.stop() != null) {
                    break;
                }
                end = i + 1;
            }
        }
        return new CopiedRounds(above, start, facts.subList(0, end));
    }

    /** Return what to throw if the run has not reached a place. */
    ConfigurationException notReached(ForkPlace.Part place) {
        return elsewhere("Run " + run.runId() + " of workflow '" + run.agentId() + "' has not reached '" + above + place
                + "', so that it cannot be forked before that.");
    }

    /** Return what to throw if the place is a map. */
    ConfigurationException isMap(ForkPlace.Part place) {
        return elsewhere("'" + above + place + "' is a map of workflow '" + run.agentId()
                + "', which has no round, so that run " + run.runId()
                + " cannot be forked before that. Name the entry after it: the maps before an entry are called again.");
    }

    private ConfigurationException elsewhere(String why) {
        Set<String> reached = new LinkedHashSet<>();
        for (Fact fact : facts) {
            if (fact instanceof Planned planned) {
                reached.add(above + planned.entry() + (planned.iteration() == 1 ? "" : "#" + planned.iteration()));
            }
        }
        return new ConfigurationException(
                why + " It has reached: " + (reached.isEmpty() ? "nothing" : String.join(", ", reached)) + ".");
    }
}
