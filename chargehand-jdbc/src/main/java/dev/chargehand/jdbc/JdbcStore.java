package dev.chargehand.jdbc;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.LargeTexts;
import dev.chargehand.jdbc.internal.sql.OwnerTable;
import dev.chargehand.jdbc.internal.sql.Tables;
import dev.chargehand.jdbc.internal.sql.ThreadTable;
import dev.chargehand.jdbc.internal.sql.VersionTable;
import dev.chargehand.jdbc.internal.sql.deletion.Deletions;
import dev.chargehand.jdbc.internal.sql.due.DueTable;
import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.ChangeSignal;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.TreeFact;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.version.VersionStore;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store of runs and threads in a SQLite file or a PostgreSQL database.
 *
 * <p>Thread-safe, and made for virtual threads. A call returns after the commit.
 *
 * <p>SQLite: one platform thread writes, two read, and callers wait for them without holding a carrier. Waiting writes
 * are committed together. Several processes on one machine may open the same file, which must not be on a network
 * drive. Owners live by this machine's clock.
 *
 * <p>PostgreSQL, 13 or later: as many calls are on their way at once as there are connections, each in a transaction of
 * its own; others wait in order. Any number of processes may use the same schema. Owners live by the database's clock.
 *
 * <p>Every call waits for its answer up to the limit in the options, even when the thread is interrupted; the interrupt
 * is kept. After a {@code TIMEOUT} the message states whether the write may still happen.
 *
 * <p>Any text and any id is kept as it is, up to 1,000,000,000 bytes, but for a surrogate without its partner, which has no UTF-8 form:
 * it becomes a question mark in a text, and an id with one is rejected. Times are kept to the millisecond.
 *
 * <p>A text of more than 16,384 characters is stored once, under its SHA-256, for all runs and threads that contain it,
 * and it is read only if it still has that hash; deleting a thread deletes texts without other references.
 */
public final class JdbcStore implements Store {

    private final Database database;
    private final StoreCalls calls;
    private final ChangeSignal changes;
    private final String tenant;
    private final Tables tables;
    private final MemoryTables memory;
    private final Deletions deletions;

    private JdbcStore(Database database) {
        this(database, null, LOCAL);
        database.onAnnouncement(changes::signal);
    }

    private JdbcStore(Database database, @Nullable ChangeSignal changes, String tenant) {
        this.database = database;
        this.calls = new StoreCalls(database);
        this.changes = changes == null ? new ChangeSignal(() -> read(database::hasChanged)) : changes;
        this.tenant = tenant;
        this.tables = Tables.of(database.dialect(), tenant, database::leaseTime, database.threadGrace());
        this.memory = MemoryTables.of(database.dialect(), tenant, database.vectors());
        this.deletions = new Deletions(database.dialect(), tenant, tables, memory);
    }

    @Override
    public Store forTenant(String tenantId) {
        return tenantId.equals(tenant) ? this : new JdbcStore(database, changes, Store.requireTenantId(tenantId));
    }

    /** Return the limit of a call in the options: a caller waits for its answer no longer. */
    @Override
    public Optional<Duration> answersWithin() {
        return Optional.of(database.callLimit());
    }

    /**
     * Open a file, or make it, with {@link SqliteOptions#DEFAULT}; its folder must be there.
     *
     * @throws StoreException {@code UNUSABLE} if the file is damaged, not a store, written by a later version, or
     *     cannot be written; it is then left unchanged
     */
    public static JdbcStore sqlite(Path file) {
        return sqlite(file, SqliteOptions.DEFAULT);
    }

    /**
     * Open a file, or make it; its folder must be there.
     *
     * @throws StoreException {@code UNUSABLE} if the file is damaged, not a store, written by a later version, or
     *     cannot be written; it is then left unchanged
     */
    public static JdbcStore sqlite(Path file, SqliteOptions options) {
        return sqlite(file, options, InstantSource.system());
    }

    static JdbcStore sqlite(Path file, SqliteOptions options, InstantSource clock) {
        return new JdbcStore(new SqliteDatabase(SqliteFile.at(file, options), clock));
    }

    /**
     * Use a PostgreSQL database with {@link PostgresOptions#DEFAULT}; the schema {@code chargehand} is created if it
     * is missing. The store has a pool of connections of its own.
     *
     * @param url such as {@code jdbc:postgresql://host/database}; with the driver's own settings, if need be
     * @throws ConfigurationException if it is not such a URL
     * @throws StoreException {@code UNUSABLE} if the database cannot be reached, rejects the login, is not in UTF-8, or
     *     its schema is another program's or of a later version; it is then left unchanged
     */
    public static JdbcStore postgres(String url, String user, String password) {
        return postgres(url, user, password, PostgresOptions.DEFAULT);
    }

    /** Use a PostgreSQL database, as {@link #postgres(String, String, String)} does, with other options. */
    public static JdbcStore postgres(String url, String user, String password, PostgresOptions options) {
        return postgres(PostgresSource.of(url, user, password, options), options);
    }

    /**
     * Use a PostgreSQL database by an application's own connections.
     *
     * <p>The source stays the application's: it decides the number of connections, and closes them. The store sets its schema, isolation and
     * time limits for each transaction, so that a transaction pooler may be in between.
     *
     * @throws StoreException as {@link #postgres(String, String, String)} does
     */
    public static JdbcStore postgres(DataSource source, PostgresOptions options) {
        return postgres(PostgresSource.of(source, options), options);
    }

    static JdbcStore postgres(PostgresSource source, PostgresOptions options) {
        return new JdbcStore(PostgresDatabase.open(source, options));
    }

    @Override
    public Appended append(List<Append> appends) {
        // Here and not on the writer's thread: writing and hashing texts is the caller's work, and not ours to wait
        // for.
        LargeTexts large = LargeTexts.of(appends);
        boolean durable = appends.stream().anyMatch(Append::durable);
        Appended appended = write(durable, session -> {
            Appended result = tables.append(session, appends, large);
            appends.forEach(append -> memory.workingMemory().copyFor(session, append.threads()));
            if (appends.stream().anyMatch(Append::isForOthers)) {
                database.announce(session);
            }
            return result;
        });
        if (ChangeSignal.isNews(appends)) {
            changes.signal();
        }
        return appended;
    }

    @Override
    public Delivered deliver(Delivery delivery) {
        Delivered delivered = write(true, session -> {
            Delivered result = tables.inboxes().deliver(session, delivery);
            if (result instanceof Delivered.Accepted) {
                database.announce(session);
            }
            return result;
        });
        if (delivered instanceof Delivered.Accepted) {
            changes.signal();
        }
        return delivered;
    }

    @Override
    public List<Delivery> undrained(RunId root) {
        return read(session -> tables.inboxes().undrained(session, root));
    }

    @Override
    public List<WaitingCall> waiting(RunId root) {
        return read(session -> tables.waits().ofTree(session, root));
    }

    @Override
    public List<WaitingFilter.Listed> waiting(WaitingFilter filter) {
        return read(session -> tables.waits().list(session, filter));
    }

    @Override
    public Optional<RunId> findKeyed(Append.IdempotencyKey key, Instant at) {
        return read(session -> tables.keys().find(session, key, at));
    }

    @Override
    public boolean index(Append derived) {
        return write(session -> tables.index(session, derived));
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return read(session -> tables.facts().read(session, runId, from));
    }

    @Override
    public List<TreeFact> readTree(RunId root, long after, int limit) {
        return read(session -> tables.facts().readTree(session, root, after, limit));
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return read(session -> tables.runs().find(session, runId));
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return read(session -> tables.rows().list(session, filter));
    }

    @Override
    public List<RunRecord> listOfAllTenants(RunFilter filter) {
        return read(session -> tables.allRows().list(session, filter));
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return write(session -> tables.claim(
                session, runId, () -> tables.runs().claim(session, runId, expectedEpoch, expectedLength, owner)));
    }

    @Override
    public RunRecord claimToWake(
            RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return write(session -> tables.claim(session, runId, () -> tables.runs()
                .claimToWake(session, runId, expectedEpoch, expectedLength, owner, notBefore)));
    }

    @Override
    public DueRuns due(DueRuns.Query query) {
        DueTable due = new DueTable(database.dialect(), database.threadGrace());
        return read(session -> due.due(session, query, database.leaseTime(session)));
    }

    @Override
    public void release(RunId root, long epoch) {
        write(true, session -> {
            tables.runs().release(session, root, epoch, database.leaseTime(session));
            database.announce(session);
            return null;
        });
        changes.signal();
    }

    @Override
    public int delete(Deletion what) {
        if (what instanceof Deletion.Remains) {
            database.removal().ifPresent(calls::alone);
            return 0;
        }
        return write(true, session -> deletions.delete(session, what));
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        write(session -> {
            OwnerTable.heartbeat(
                    session,
                    owner,
                    timeToLive,
                    database.now(session),
                    database.leaseTime(session),
                    database.threadGrace());
            return null;
        });
    }

    @Override
    public boolean isAlive(String owner) {
        return read(session -> OwnerTable.isAlive(session, owner, database.leaseTime(session)));
    }

    @Override
    public boolean keepsThread(RunId runId) {
        return read(session -> tables.taking().keepsThread(session, runId));
    }

    @Override
    public long awaitChange(long seen, Duration atMost) {
        return changes.await(seen, atMost);
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return read(session -> tables.threads().find(session, threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return read(session -> tables.threads().read(session, threadId, owner, before, last));
    }

    @Override
    public List<ThreadEntry> readThreadFrom(String threadId, ThreadOwner owner, long from, int limit) {
        return read(session -> tables.threads().readFrom(session, threadId, owner, from, limit));
    }

    @Override
    public List<ThreadRecord> listThreads(ThreadRecord.Filter filter) {
        return read(session -> tables.threads().list(session, filter));
    }

    @Override
    public boolean createThread(ThreadRecord thread) {
        return write(true, session -> tables.threads().create(session, thread));
    }

    @Override
    public ThreadRecord appendToThread(ThreadAppend messages, Instant at) {
        LargeTexts large = LargeTexts.ofThreads(List.of(messages));
        return write(true, session -> {
            tables.append(session, messages, at, large);
            memory.workingMemory().copyFor(session, List.of(messages));
            return tables.threads().find(session, messages.threadId()).orElseThrow();
        });
    }

    @Override
    public ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        return write(true, session -> tables.threads().change(session, threadId, owner, change, at));
    }

    @Override
    public boolean copyThread(ThreadRecord.Source from, long before, ThreadRecord to) {
        return write(true, session -> {
            Optional<ThreadTable.Copied> copied = tables.threads().copy(session, from, before, to);
            copied.ifPresent(threads -> memory.copy(session, threads, before));
            return copied.isPresent();
        });
    }

    /** Return what agents remember; a search compares vectors on a thread of the store. */
    @Override
    public Optional<MemoryStore> memory() {
        return Optional.of(new JdbcMemoryStore(database, calls, memory));
    }

    @Override
    public Optional<VersionStore> versions() {
        return Optional.of(new JdbcVersionStore(calls, new VersionTable(database.dialect(), tenant)));
    }

    /**
     * Finish the calls that were started or are queued, then let the database go; later calls are {@code UNUSABLE}.
     */
    @Override
    public void close() {
        database.close();
        changes.signal();
    }

    /** Do something in a transaction, which a power cut may take back. */
    <T extends @Nullable Object> T write(Function<Session, T> work) {
        return write(false, work);
    }

    /** Do something in a transaction. */
    <T extends @Nullable Object> T write(boolean durable, Function<Session, T> work) {
        return calls.write(work, durable);
    }

    /** Read something. */
    <T extends @Nullable Object> T read(Function<Session, T> work) {
        return calls.read(work);
    }

    Database database() {
        return database;
    }
}
