package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.journal.ThreadTexts;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The start of a run up to the end of one of its steps, for a run that continues from there.
 *
 * @param state the run after that step
 * @param since the facts after its first one
 * @param notesAtStart the revision of the working memory that the run saw first, 0 for none
 */
record CopiedSteps(ConversationState state, List<Fact> since, long notesAtStart) {

    CopiedSteps {
        since = List.copyOf(since);
    }

    /**
     * Read the start of a run.
     *
     * @param step the last step to have, 0 for none
     * @throws ConfigurationException if the run has not finished that step
     */
    static CopiedSteps read(Store store, RunRecord run, int step) {
        List<FactEntry> entries = RunOpening.entries(store, run.runId());
        if (!(RunOpening.executing(run, entries, ThreadTexts.NONE) instanceof ConversationState first)) {
            throw new ConfigurationException("Run " + run.runId()
                    + " is of a workflow, which is forked before an entry: fork(runId, f -> f.before(\"...\")).");
        }
        ConversationState state = first;
        List<Fact> since = new ArrayList<>();
        int finished = 0;
        Long notes = null;
        for (FactEntry entry : entries.subList(1, entries.size())) {
            Fact fact = FactCodec.read(entry);
            if (fact instanceof Fact.ExecutionStarted) {
                state = state.after(fact);
            } else if (finished < step && isOfAStep(fact)) {
                state = state.after(fact);
                since.add(fact);
            }
            finished += fact instanceof Fact.StepClosed ? 1 : 0;
            notes = notes == null && fact instanceof Fact.Recalled recalled ? recalled.workingRevision() : notes;
        }
        if (state.started().submitted()) {
            throw new ConfigurationException("Run " + run.runId() + " of agent '" + run.agentId()
                    + "' has not started, so that there is nothing to continue from; submit or start another run.");
        }
        if (finished < step) {
            throw new ConfigurationException("Run " + run.runId() + " of agent '" + run.agentId() + "' has finished "
                    + (finished == 0 ? "no step yet" : finished == 1 ? "1 step" : finished + " steps")
                    + ", so that it can be forked after "
                    + (finished == 0 ? "step 0, which is before the first" : "step 0 to " + finished)
                    + ", but not after "
                    + step + ".");
        }
        return new CopiedSteps(state, since, notes == null ? 0 : notes);
    }

    /** When a run waited, was resumed again or was ended in the middle of a step is its own affair. */
    private static boolean isOfAStep(Fact fact) {
        return !(fact instanceof Fact.Suspended || fact instanceof Fact.Resumed || fact instanceof Fact.Stopped);
    }

    Fact.Started started() {
        return state.started();
    }

    int step() {
        return state.steps().size();
    }

    /** Return the runs that the copied steps delegated to. */
    List<RunId> children() {
        return state.steps().stream()
                .flatMap(step -> step.calls().stream())
                .filter(call -> call.opened() != null && call.opened().child() != null)
                .map(CallState::child)
                .map(ChildLink::runId)
                .toList();
    }

    /** Return the revision of the run's own working memory after the steps, 0 for none: that of its start or of its last edit. */
    long notes() {
        return Math.max(
                notesAtStart,
                state.steps().stream()
                        .flatMap(step -> step.calls().stream())
                        .filter(call ->
                                state.remembered().isEditedBy(call.call().name()))
                        .map(CallState::closed)
                        .flatMap(closed -> Stream.ofNullable(closed == null ? null : closed.output()))
                        .flatMap(output -> CallState.revisionIn(output).stream())
                        .mapToLong(revision -> revision)
                        .max()
                        .orElse(0));
    }

    /**
     * Return the facts of the steps, and what was said after them: the caller that continues from a step does not end
     * with it.
     *
     * @param places returns the place in the copy of the thread for one in the thread
     */
    List<Fact> facts(List<Message> said, Fact.Started fork, LongUnaryOperator places) {
        if (since.isEmpty()) {
            return List.of();
        }
        List<Fact> facts = new ArrayList<>();
        for (Fact fact : since.subList(0, since.size() - 1)) {
            facts.add(fact instanceof Fact.Recalled recalled ? inCopy(recalled, fork, places) : fact);
        }
        Fact.StepClosed last = (Fact.StepClosed) since.getLast();
        facts.add(new Fact.StepClosed(
                last.step(),
                null,
                said.isEmpty() ? last.lastStop() : null,
                last.hook(),
                last.feedback(),
                last.completion(),
                last.scoresKept(),
                last.judged(),
                said.isEmpty() && last.stop() == null ? last.object() : null,
                last.stop() == null ? last.answer() : null,
                List.of(),
                last.at()));
        if (!said.isEmpty()) {
            facts.add(new Fact.Said(step(), said, fork.at()));
        }
        return facts;
    }

    /**
     * Return what the run recalled last in these steps, as a fact of the fork.
     *
     * @param places returns the place in the copy of the thread for one in the thread
     */
    Optional<Fact.Recalled> recalled(Fact.Started fork, LongUnaryOperator places) {
        return Optional.ofNullable(state.remembered().fact()).map(recalled -> inCopy(recalled, fork, places));
    }

    /** The messages that were recalled of the run's own thread are in the copy of that; one that was deleted is not. */
    private Fact.Recalled inCopy(Fact.Recalled recalled, Fact.Started fork, LongUnaryOperator places) {
        ThreadLink old = started().thread();
        ThreadLink copy = fork.thread();
        if (old == null || copy == null) {
            return recalled;
        }
        List<RecalledRange> hits = recalled.hits().stream()
                .map(hit -> hit.threadId().equals(old.id())
                        ? new RecalledRange(
                                copy.id(), places.applyAsLong(hit.from()), places.applyAsLong(hit.to()), hit.score())
                        : hit)
                .filter(hit -> hit.from() < hit.to())
                .toList();
        return new Fact.Recalled(
                recalled.step(),
                recalled.embedder(),
                hits,
                recalled.withToolResults(),
                recalled.workingRevision(),
                recalled.rootNotes(),
                observed(recalled.observed(), places),
                recalled.problem(),
                recalled.spent(),
                recalled.startedAt(),
                recalled.at());
    }

    /** The observations are those of the run's own thread. */
    private static @Nullable ObservedHistory observed(@Nullable ObservedHistory observed, LongUnaryOperator places) {
        return observed == null
                ? null
                : new ObservedHistory(
                        observed.seen(),
                        places.applyAsLong(observed.from()),
                        observed.tokens(),
                        observed.steps(),
                        observed.hasFailed(),
                        observed.isUpdate());
    }

    /**
     * Check that there is something for the model to do.
     *
     * @param maxSteps how many steps the fork may make, the copied ones included
     */
    void requireSomethingToDo(int maxSteps, List<Message> said) {
        if (state.steps().isEmpty()) {
            return;
        }
        StepState last = state.steps().getLast();
        Fact.StepClosed closed = Objects.requireNonNull(last.closed());
        if (said.isEmpty() && isAnswered(last, closed)) {
            throw new ConfigurationException("Step " + step() + " of run " + state.runId()
                    + " is an answer that nothing follows on: say more with addMessage(\"...\"), or fork after step 0 to "
                    + (step() - 1) + ".");
        }
        boolean oneMoreAnswer = said.isEmpty() && closed.lastStop() != null;
        if (maxSteps <= step() && !oneMoreAnswer) {
            throw new ConfigurationException("A fork after step " + step() + " of run " + state.runId()
                    + " has no step left, since its maxSteps is " + maxSteps
                    + " and counts the copied steps: raise it with options(o -> o.maxSteps(...)).");
        }
    }

    private static boolean isAnswered(StepState last, Fact.StepClosed closed) {
        boolean continues = closed.stop() == null
                && (!closed.feedback().isEmpty()
                        || closed.lastStop() != null
                        || (closed.completion() != null && !closed.completion().complete()));
        return last.calls().isEmpty() && !continues;
    }
}
