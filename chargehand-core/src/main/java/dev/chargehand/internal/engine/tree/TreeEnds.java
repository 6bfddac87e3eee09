package dev.chargehand.internal.engine.tree;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.agent.TerminalFacts;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.ThreadTexts;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.scope.ChildEnds;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends runs of one tree that no process executes, in one transaction: a run precedes the one above it. Used by one
 * thread, once.
 */
final class TreeEnds implements ChildEnds {

    private static final Log LOG = Log.of(TreeEnds.class);

    private final SuspendedRuns runs;
    private final RuntimeEnvironment environment;
    private final long epoch;
    private final StopReason reason;
    private final List<Ending> endings = new ArrayList<>();
    private final Map<RunId, ChildEnd> ends = new HashMap<>();

    /** A run that ends: where it stands, and the hooks to call about its end. */
    private record Ending(State before, Journal journal, OptionValues hooks) {}

    /**
     * Make the ends of a tree.
     *
     * @param epoch the epoch of the root run, under which they are stored
     */
    TreeEnds(SuspendedRuns runs, long epoch, StopReason reason) {
        this.runs = runs;
        this.environment = runs.environment();
        this.epoch = epoch;
        this.reason = reason;
    }

    /**
     * Add the child run of an open delegation, unless it is missing or has ended, after its own nested runs.
     *
     * @throws StoreException {@code FENCED} if another process writes to it
     */
    void add(CallState call, @Nullable RunDefinition definition) {
        RunId runId = call.child().runId();
        try {
            Optional<RunRecord> child = environment.store().find(runId);
            if (child.isEmpty()) {
                return;
            }
            RunRecord found = child.get();
            OptionValues hooks = definition == null ? OptionValues.DEFAULT : definition.defaultOptions();
            State ended = found.status().isEnded()
                    ? SuspendedRuns.look(environment.store(), found)
                    : add(found, definition, SuspendedRuns.hooksOfEnd(found, hooks));
            ends.put(runId, RunResults.childEnd(ended));
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FENCED) {
                throw e;
            }
            LOG.warn("run {}: it could not be read to end it with the run above it: {}", runId, e.getMessage());
        }
    }

    /** Add a run that has not ended, after its nested runs, and return the state it ends in. */
    State add(RunRecord run, @Nullable RunDefinition definition, OptionValues hooks) {
        Journal journal = Journal.load(environment.store(), run, epoch, ThreadTexts.NONE);
        journal.endTreeBy(environment.forgotten());
        State before = journal.state();
        for (CallState call : before.pendingCalls()) {
            if (call.isOpenDelegation()) {
                add(call, environment.definitions().ofEndingChild(definition, call));
            }
        }
        journal.add(TerminalFacts.of(
                before, reason, "", Spending.NOTHING, environment.time().now(), this::of));
        endings.add(new Ending(before, journal, hooks));
        return journal.state();
    }

    @Override
    public ChildEnd of(CallState call) {
        ChildEnd end = ends.get(call.child().runId());
        return end == null ? TerminalFacts.endOfChild(call, reason) : end;
    }

    @Override
    public List<Journal> journals() {
        return endings.stream().map(Ending::journal).toList();
    }

    /** Store the ends on their own. */
    void commit() {
        List<Journal> journals = journals();
        if (!journals.isEmpty()) {
            List<Journal.Stored> ignored = journals.getLast().commitAfter(journals.subList(0, journals.size() - 1));
        }
    }

    @Override
    public void narrate() {
        for (Ending ending : endings) {
            Journal journal = ending.journal();
            runs.narrateEnd(ending.before(), journal.committed(), journal.state(), ending.hooks());
        }
    }
}
