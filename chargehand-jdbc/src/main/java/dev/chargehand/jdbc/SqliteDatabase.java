package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.CallQueue;
import dev.chargehand.jdbc.internal.call.Worker;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A SQLite file: one platform thread writes, two read, and callers wait for them without holding a carrier. Waiting
 * writes are committed together.
 */
final class SqliteDatabase implements Database {

    private static final int READERS = 2;
    private static final int QUEUED = 1024;
    private static final int WRITTEN_TOGETHER = 128;

    private final SqliteFile file;
    private final InstantSource clock;
    private final LeaseClock leases;
    private final CallQueue writes = new CallQueue(QUEUED);
    private final CallQueue reads = new CallQueue(QUEUED);
    private final Map<Connection, Long> versions = new ConcurrentHashMap<>();
    private final Worker writer;
    private final List<Worker> readers;

    SqliteDatabase(SqliteFile file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
        this.leases = new LeaseClock(clock, System::nanoTime);
        SqliteSchema schema = new SqliteSchema(file);
        GroupCommit commit = new GroupCommit(file.path(), file.options().synchronous());
        writer = new Worker("chargehand-store-writer", writes, () -> opened(schema, commit), WRITTEN_TOGETHER, commit);
        writer.awaitOpened();
        readers = IntStream.range(0, READERS)
                .mapToObj(i -> new Worker(
                        "chargehand-store-reader-" + i, reads, file::openToRead, 1, new Snapshot(file.path())))
                .toList();
        try {
            readers.forEach(Worker::awaitOpened);
        } catch (RuntimeException e) {
            close();
            throw SqliteFailures.opening(file.path(), e);
        }
    }

    private static Session opened(SqliteSchema schema, GroupCommit commit) {
        Session session = schema.open();
        commit.opened();
        return session;
    }

    @Override
    public String name() {
        return file.path().toString();
    }

    @Override
    public Dialect dialect() {
        return Dialect.SQLITE;
    }

    @Override
    public Duration callLimit() {
        return file.options().callLimit();
    }

    @Override
    public Duration threadGrace() {
        return file.options().threadGrace();
    }

    @Override
    public Instant now(Session session) {
        return clock.instant();
    }

    @Override
    public Instant leaseTime(Session session) {
        return leases.now();
    }

    /** The version is one of a connection, and means something to the same connection only. */
    @Override
    public boolean hasChanged(Session session) {
        long version = session.sql("PRAGMA data_version").one(row -> row.number(1));
        Long before = versions.put(session.connection(), version);
        return before == null || before != version;
    }

    /** Other processes look at a counter of the file. */
    @Override
    public void announce(Session session) {}

    @Override
    public void onAnnouncement(Runnable action) {}

    @Override
    public CallQueue.Put write(Call<?> call, long deadline) {
        return writes.put(call, deadline);
    }

    @Override
    public CallQueue.Put read(Call<?> call, long deadline) {
        return reads.put(call, deadline);
    }

    /** Write the log back into the file, and empty it. */
    @Override
    public Optional<Consumer<Session>> removal() {
        return Optional.of(session -> {
            boolean busy = session.sql("PRAGMA wal_checkpoint(TRUNCATE)").one(row -> row.number("busy")) != 0;
            if (busy) {
                throw SqliteFailures.logInUse(file.path());
            }
        });
    }

    int queuedWrites() {
        return writes.size();
    }

    @Override
    public StoreException closed() {
        return SqliteFailures.unusable(file.path(), Database.CLOSED, null);
    }

    @Override
    public String whySlow() {
        return "Is the disk slow, or does another process hold the file?";
    }

    @Override
    public void close() {
        // The writer last: only the last connection, if it may write, can clear the write-ahead log away.
        reads.close();
        readers.forEach(reader -> reader.finish(callLimit()));
        writer.finish(callLimit());
    }
}
