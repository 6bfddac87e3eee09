package dev.chargehand.internal.engine.fork;

import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.engine.lease.RunPages;
import dev.chargehand.internal.engine.tree.ChildThreads;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.FirstWords;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.memory.Scope;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies what the threads of a run held when one of its steps was over: its own, and those of specialists that remember
 * earlier delegations of the conversation. The run's own messages are not among them: they follow from its facts.
 */
final class ThreadCopies {

    private final Store store;
    private final RunId runId;
    private final ThreadLink old;
    private final CopiedSteps copied;

    ThreadCopies(Store store, ThreadLink old, CopiedSteps copied) {
        this.store = store;
        this.runId = copied.state().runId();
        this.old = old;
        this.copied = copied;
    }

    /** Return what the thread held before the run. */
    List<ThreadEntry> earlier() {
        return store.readThread(old.id(), old.owner(), old.position(), Integer.MAX_VALUE);
    }

    /** Return what finds the place in a copy for one in the thread, where messages that were deleted have places too. */
    static LongUnaryOperator placesIn(List<ThreadEntry> earlier) {
        return place ->
                earlier.stream().filter(entry -> entry.position() < place).count();
    }

    /** Return what to append to the threads of a run of an agent that continues a new thread. */
    List<ThreadAppend> to(ThreadLink thread, List<ThreadEntry> earlier, AgentDefinition agent) {
        List<ThreadAppend> appends = new ArrayList<>();
        ThreadAppend.Notes notes = notes(agent);
        if (!earlier.isEmpty() || notes != null) {
            String title =
                    FirstWords.of(thread.owner(), earlier.stream().map(entry -> MessageCodec.read(entry.text())));
            appends.add(new ThreadAppend(thread.id(), thread.owner(), null, null, unplaced(earlier))
                    .title(title)
                    .notes(notes));
        }
        remembered(agent, AgentPath.root(agent.id()), old.id(), thread.id(), appends);
        return appends;
    }

    /** Messages that were deleted have places in the source only. */
    private static List<ThreadEntry> unplaced(List<ThreadEntry> entries) {
        return entries.stream().map(entry -> entry.placed(-1, entry.at())).toList();
    }

    /** Return the working memory of the thread when the step was over, or null if the agent has none there. */
    private ThreadAppend.@Nullable Notes notes(AgentDefinition agent) {
        return agent.memory()
                .workingMemory()
                .filter(memory -> memory.scope() == Scope.THREAD && copied.notes() > 0)
                .map(memory -> new ThreadAppend.Notes(old.id(), copied.notes()))
                .orElse(null);
    }

    private void remembered(
            AgentDefinition agent, AgentPath path, String oldThread, String newThread, List<ThreadAppend> appends) {
        for (Map.Entry<String, AgentDefinition> below : agent.agents().entrySet()) {
            if (below.getValue().delegation().memory() != DelegationMemory.PER_PARENT_THREAD) {
                continue;
            }
            AgentPath childPath = path.child(below.getKey());
            String from = ChildThreads.ownThread(oldThread, childPath);
            String to = ChildThreads.ownThread(newThread, childPath);
            ThreadOwner owner = new ThreadOwner(old.owner().resourceId(), childPath.toString());
            List<ThreadEntry> entries = store.readThread(from, owner, Long.MAX_VALUE, Integer.MAX_VALUE);
            List<ThreadEntry> kept =
                    entries.stream().filter(saidUntilThen(from)).toList();
            if (!kept.isEmpty()) {
                appends.add(new ThreadAppend(to, owner, null, null, unplaced(kept)));
            }
            remembered(below.getValue(), childPath, from, to, appends);
        }
    }

    /** The id of a message starts with that of the run that said it. */
    private Predicate<ThreadEntry> saidUntilThen(String threadId) {
        Set<RunId> copiedRuns = copiedRuns();
        List<String> later = new ArrayList<>();
        for (RunRecord run : RunPages.all(store::list, RunFilter.ALL.thread(threadId))) {
            boolean isLater = run.rootRunId().equals(runId)
                    ? !copiedRuns.contains(run.runId())
                    : run.startedAt().isAfter(copied.started().at());
            if (isLater) {
                later.add(run.runId() + ".");
            }
        }
        return entry -> later.stream().noneMatch(entry.messageId()::startsWith);
    }

    /** Return the runs that the copied steps delegated to, with their descendants. */
    private Set<RunId> copiedRuns() {
        Set<RunId> runs = new HashSet<>(copied.children());
        List<RunRecord> tree = RunPages.all(store::list, RunFilter.ALL.tree(runId));
        boolean grows = true;
        while (grows) {
            grows = false;
            for (RunRecord run : tree) {
                grows |= run.parentRunId().filter(runs::contains).isPresent() && runs.add(run.runId());
            }
        }
        return runs;
    }
}
