package dev.chargehand.jdbc.internal.sql.deletion;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Tables;
import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.run.RunId;
import dev.chargehand.store.deletion.Deletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What a tenant can delete, in SQL. */
public final class Deletions {

    private final RunDeletion runs;
    private final ThreadDeletion threads;
    private final Tables tables;
    private final MemoryTables memory;

    /** Make it for a tenant. */
    public Deletions(Dialect dialect, String tenant, Tables tables, MemoryTables memory) {
        this.runs = new RunDeletion(dialect, tenant, tables.payloads());
        this.threads = new ThreadDeletion(dialect, tenant, tables.threads(), tables.payloads(), memory);
        this.tables = tables;
        this.memory = memory;
    }

    /** Delete something; returns how many were deleted. */
    public int delete(Session session, Deletion what) {
        return switch (what) {
            case Deletion.EndedRuns ended ->
                runs.deleteEnded(session, ended.changedBefore(), ended.limit(), ended.ofAllTenants());
            case Deletion.OneRun one -> {
                List<RunDeletion.Root> root = runs.one(session, one.runId().value());
                runs.delete(session, root);
                yield root.size();
            }
            case Deletion.RunsOfThread ofThread -> deleteRunsOfThread(session, ofThread);
            case Deletion.RunsOfResource ofResource -> {
                threads.requireResourceEnded(session, ofResource.resourceId());
                List<RunDeletion.Root> roots = runs.ofResource(session, ofResource.resourceId(), ofResource.limit());
                runs.delete(session, roots);
                yield roots.size();
            }
            case Deletion.OneThread one -> threads.delete(session, one.threadId(), one.owner()) ? 1 : 0;
            case Deletion.ThreadsOfResource ofResource ->
                threads.deleteOfResource(session, ofResource.resourceId(), ofResource.limit());
            case Deletion.MessagesOfThread messages -> deleteMessages(session, messages);
            case Deletion.MemoryOfResource ofResource -> memory.deleteOfResource(session, ofResource.resourceId());
            case Deletion.OldUsage old -> memory.usage().deleteBefore(session, old.before(), old.limit());
            case Deletion.UnusedVectors unused ->
                memory.vectors().deleteUnused(session, unused.unusedSince(), unused.limit());
            case Deletion.OldEditKeys old -> memory.workingMemory().deleteKeys(session, old.madeBefore(), old.limit());
            case Deletion.Remains ignored -> 0;
        };
    }

    private int deleteRunsOfThread(Session session, Deletion.RunsOfThread what) {
        Optional<Long> ignored =
                tables.threads().locked(session, what.threadId(), what.owner()); // refuses a thread of another owner
        threads.requireEnded(session, what.threadId());
        String resource = what.owner().resourceId();
        List<RunDeletion.Root> roots = new ArrayList<>(runs.ofThread(session, what.threadId(), resource, what.limit()));
        roots.addAll(runs.tasksOfThread(session, what.threadId(), resource, what.limit() - roots.size()));
        TreeSet<String> ofAgents = new TreeSet<>();
        roots.forEach(root -> ofAgents.addAll(runs.threads(session, root)));
        ofAgents.remove(what.threadId());
        runs.delete(session, roots);
        threads.deleteOfAgents(session, ofAgents);
        return roots.size();
    }

    private int deleteMessages(Session session, Deletion.MessagesOfThread what) {
        int deleted = threads.deleteMessages(session, what.threadId(), what.owner(), new TreeSet<>(what.messageIds()));
        if (deleted > 0) {
            runs.deleteFirstWords(
                    session,
                    what.threadId(),
                    what.runs().stream().map(RunId::value).sorted().toList());
        }
        return deleted;
    }
}
