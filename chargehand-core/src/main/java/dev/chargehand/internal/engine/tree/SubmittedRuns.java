package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.List;

/** Starts the execution of submitted runs. */
final class SubmittedRuns {

    private SubmittedRuns() {}

    /**
     * Start a run that was claimed; its thread is its own since then, so that nothing is added to that meanwhile. Its
     * first events are emitted here: the process that submitted it has no readers of them.
     */
    static void begin(RuntimeEnvironment environment, RunDefinition definition, Journal journal, Narrator narrator) {
        RunId runId = journal.state().runId();
        narrator.retell(placed(Journal.read(environment.store(), runId)));
        ThreadLink thread = journal.state().started().thread();
        long position = thread == null
                ? 0
                : environment
                        .store()
                        .findThread(thread.id())
                        .map(ThreadRecord::length)
                        .orElse(0L);
        Fact.Started there = StartedFacts.begun(journal.state().started(), position, null);
        Long historyFrom = environment.historyFrom(definition, there, there.thread());
        Fact.Begun begun = new Fact.Begun(
                position,
                historyFrom,
                environment.ownerOf(runId),
                journal.epoch(),
                environment.time().now());
        List<Message> before =
                environment.tail(definition, StartedFacts.begun(journal.state().started(), position, historyFrom));
        journal.begin(begun, before);
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
