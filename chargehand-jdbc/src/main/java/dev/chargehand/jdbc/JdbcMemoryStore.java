package dev.chargehand.jdbc;

import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.jdbc.internal.sql.memory.VectorTable;
import dev.chargehand.run.RunId;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What the agents of one tenant remember, in a database. */
record JdbcMemoryStore(Database database, StoreCalls calls, MemoryTables tables) implements MemoryStore {

    @Override
    public List<DueThread> due(long after, int limit) {
        return calls.read(session ->
                tables.work().due(session, after, limit, database.now(session), database.leaseTime(session)));
    }

    @Override
    public boolean take(ThreadOwner owner, String threadId, String worker, Duration lease) {
        return calls.write(
                session -> tables.work()
                        .take(
                                session,
                                owner,
                                threadId,
                                worker,
                                lease,
                                database.now(session),
                                database.leaseTime(session)),
                false);
    }

    @Override
    public void giveBack(ThreadOwner owner, String threadId, String worker, long length, @Nullable Instant dueAgain) {
        calls.write(
                session -> {
                    tables.work().giveBack(session, owner, threadId, worker, length, dueAgain);
                    return null;
                },
                false);
    }

    @Override
    public Optional<IndexedRange> indexed(ThreadOwner owner, String threadId, VectorSpace space) {
        return calls.read(session -> tables.vectors().indexed(session, owner, threadId, space));
    }

    /** Not for a power cut: what is lost then can be made again. */
    @Override
    public boolean index(
            ThreadOwner owner,
            String threadId,
            VectorSpace space,
            Optional<IndexedRange> expected,
            IndexedRange next,
            List<Passage> passages) {
        List<VectorTable.Stored> stored = tables.vectors().stored(space, passages);
        return calls.write(
                session -> tables.vectors()
                        .index(session, owner, threadId, space, expected, next, stored, database.now(session)),
                false);
    }

    /** Not for a power cut: it can be made again. */
    @Override
    public boolean title(
            ThreadOwner owner, String threadId, String title, TitleSource source, List<String> messageIds) {
        return calls.write(
                session -> tables.titles().title(session, owner, threadId, title, source, messageIds), false);
    }

    @Override
    public long historyFrom(ThreadOwner owner, String threadId, int tokens) {
        return calls.read(session -> tables.histories().from(session, owner, threadId, tokens));
    }

    @Override
    public void moveHistory(ThreadOwner owner, String threadId, int tokens, long from) {
        calls.write(
                session -> {
                    tables.histories().move(session, owner, threadId, tokens, from);
                    return null;
                },
                false);
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId) {
        return observations(owner, threadId, Long.MAX_VALUE);
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId, long number) {
        return calls.read(session -> tables.observations().log(session, owner, threadId, number));
    }

    @Override
    public List<String> observedThreads(ThreadOwner owner, int limit) {
        return calls.read(session -> tables.observations().observedThreads(session, owner, limit));
    }

    @Override
    public List<String> threads(ThreadOwner owner, String after, int limit) {
        return calls.read(session -> tables.work().threads(session, owner, after, limit));
    }

    /** Not for a power cut: it can be made again. */
    @Override
    public OptionalLong observe(ThreadOwner owner, String threadId, NewObservation observation) {
        return calls.write(session -> tables.observations().observe(session, owner, threadId, observation), false);
    }

    /** Not for a power cut: it can be made again. */
    @Override
    public OptionalLong reflect(ThreadOwner owner, String threadId, NewReflection reflection) {
        return calls.write(session -> tables.observations().reflect(session, owner, threadId, reflection), false);
    }

    @Override
    public PassageHits nearest(PassageQuery query) {
        VectorTable vectors = tables.vectors();
        return calls.readAndNote(
                        session -> vectors.nearest(session, query, database.now(session)),
                        VectorTable.Searched::isToNote,
                        session -> vectors.noteUse(session, query.space(), database.now(session)))
                .hits();
    }

    @Override
    public long deleteVectors(ThreadOwner owner, VectorSpace space) {
        return calls.write(session -> tables.vectors().delete(session, owner, space), true);
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId) {
        return calls.read(session -> tables.workingMemory().newest(session, owner, threadId));
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId, long revision) {
        return calls.read(session -> tables.workingMemory().revision(session, owner, threadId, revision));
    }

    @Override
    public WorkingMemoryEdit edit(
            ThreadOwner owner,
            @Nullable String threadId,
            long expected,
            String key,
            String text,
            Instant at,
            @Nullable RunId by) {
        String editKey = MemoryStore.requireEditKey(key);
        return calls.write(
                session -> {
                    if (by != null) {
                        tables.workingMemory().keepRun(session, by); // before the thread, as appends do
                    }
                    return tables.workingMemory().edit(session, owner, threadId, expected, editKey, text, at);
                },
                true);
    }

    /** Not for a power cut: it is worth less than the time of each answer. */
    @Override
    public boolean addUsage(ThreadOwner owner, String threadId, MemoryUsage used) {
        return calls.write(session -> tables.usage().add(session, owner, threadId, used), false);
    }

    @Override
    public List<MemoryUsage> usage(@Nullable String resourceId, LocalDate since) {
        return calls.read(session -> tables.usage().since(session, resourceId, since));
    }
}
