package dev.chargehand.internal.engine.tree;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Starts the execution of submitted runs. */
final class SubmittedRuns {

    /** How often a store may say that a result has been read meanwhile; each time another run has read one more. */
    private static final int MOST_TRIES = 1000;

    private SubmittedRuns() {}

    /**
     * Start a run that was claimed; its thread is its own since then, so that no other run adds to that meanwhile.
     *
     * @return the facts whose events are emitted here, before others: the process that submitted it has no readers of them
     */
    static List<Journal.Stored> startExecution(
            RuntimeEnvironment environment, RunDefinition definition, Journal journal) {
        RunId runId = journal.state().runId();
        List<Journal.Stored> first = placed(Journal.read(environment.store(), runId));
        ThreadLink thread = journal.state().started().thread();
        long position = thread == null
                ? 0
                : environment
                        .store()
                        .findThread(thread.id())
                        .map(ThreadRecord::length)
                        .orElse(0L);
        List<TaskResult> results =
                environment.unread(definition, journal.state().started());
        Fact.Started there = StartedFacts.executing(journal.state().started(), position, null, results);
        Long historyFrom = environment.historyFrom(definition, there, there.thread());
        Fact.ExecutionStarted execution = new Fact.ExecutionStarted(
                position,
                historyFrom,
                environment.ownerOf(runId),
                journal.epoch(),
                results,
                environment.time().now());
        List<Message> before = environment.tail(
                definition, StartedFacts.executing(journal.state().started(), position, historyFrom, results));
        journal.startExecution(execution, before);
        return first;
    }

    /** Try again what a store has rejected because another run has read a result of a task meanwhile. */
    static <T> T whileRead(Supplier<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                return work.get();
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.ALREADY_READ || tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** A run that has not started is alone in its tree. */
    private static List<Journal.Stored> placed(List<Journal.Stored> facts) {
        List<Journal.Stored> placed = new ArrayList<>(facts.size());
        for (Journal.Stored each : facts) {
            placed.add(new Journal.Stored(each.fact(), each.after(), placed.size() + 1));
        }
        return placed;
    }
}
