package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.ThreadTable;

/** What a tenant's agents remember. */
public record MemoryTables(
        MemoryWorkTable work,
        VectorTable vectors,
        WorkingMemoryTable workingMemory,
        TitleColumns titles,
        HistoryTable histories,
        ObservationTable observations,
        UsageTable usage) {

    /** Make the tables of a tenant. */
    public static MemoryTables of(Dialect dialect, String tenant, VectorForm form) {
        OwnedThreads threads = new OwnedThreads(dialect, tenant);
        ScopeTable scopes = new ScopeTable(dialect, tenant);
        return new MemoryTables(
                new MemoryWorkTable(threads),
                new VectorTable(threads, scopes, new SpaceTable(dialect), form),
                new WorkingMemoryTable(dialect, tenant, threads, scopes),
                new TitleColumns(dialect, threads),
                new HistoryTable(threads),
                new ObservationTable(threads),
                new UsageTable(dialect, threads, scopes));
    }

    /**
     * Copy what is remembered of a thread to a copy of it, for the owner of the copy.
     *
     * @param before the position before which its messages were copied
     */
    public void copy(Session session, ThreadTable.Copied copied, long before) {
        work.copy(session, copied.from(), copied.to());
        vectors.copy(session, copied, before);
        workingMemory.copy(session, copied);
        observations.copy(session, copied.from(), copied.to(), before);
    }

    /** Delete what is remembered of a thread that is deleted; its vectors and observations go with its row. */
    public void delete(Session session, long thread) {
        workingMemory.delete(session, thread);
    }

    /** Delete what is remembered of a message. */
    public void deleteAt(Session session, long thread, long position) {
        vectors.deleteAt(session, thread, position);
        observations.deleteAt(session, thread, position);
    }

    /**
     * Delete the working memory that all threads of a resource share, of every agent, and what its memory has used; returns how
     * many working memories there were.
     */
    public int deleteOfResource(Session session, String resourceId) {
        usage.deleteOfResource(session, resourceId);
        return workingMemory.deleteOfResource(session, resourceId);
    }
}
