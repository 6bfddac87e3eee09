package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Keeps runs and threads in a SQLite file.
 *
 * <p>Thread-safe, and made for virtual threads: one platform thread writes, two read, and callers wait for them without
 * holding a carrier. What was asked for in the meantime is written together; a call returns after the commit. Several
 * processes on one machine may open the same file, which must not be on a network drive.
 *
 * <p>Every call waits for its answer up to the {@linkplain SqliteOptions#callLimit() limit}, even when the thread is
 * interrupted; the interrupt is kept. After a {@code TIMEOUT} the message says whether the write may still happen.
 *
 * <p>Any text and any id is kept as it is, up to 1,000,000,000 bytes, but for a surrogate without its partner, which has
 * no UTF-8 form: it becomes a question mark in a text, and in an id it is refused. Times are kept to the millisecond.
 */
public final class JdbcStore implements Store {

    private static final int READERS = 2;
    private static final int QUEUED = 1024;
    private static final int WRITTEN_TOGETHER = 128;

    private final Path file;
    private final Duration callLimit;
    private final InstantSource clock;
    private final CallQueue writes = new CallQueue(QUEUED);
    private final CallQueue reads = new CallQueue(QUEUED);
    private final Worker writer;
    private final List<Worker> readers;

    private JdbcStore(SqliteFile sqlite, InstantSource clock) {
        this.file = sqlite.path();
        this.callLimit = sqlite.options().callLimit();
        this.clock = clock;
        Schema schema = new Schema(sqlite);
        writer = new Worker("chargehand-store-writer", writes, schema::open, WRITTEN_TOGETHER, new GroupCommit(file));
        writer.awaitOpened();
        readers = IntStream.range(0, READERS)
                .mapToObj(i ->
                        new Worker("chargehand-store-reader-" + i, reads, sqlite::openToRead, 1, new Snapshot(file)))
                .toList();
        try {
            readers.forEach(Worker::awaitOpened);
        } catch (RuntimeException e) {
            close();
            throw Failures.opening(file, e);
        }
    }

    /**
     * Opens a file, or makes it, with {@link SqliteOptions#DEFAULT}; its folder must be there.
     *
     * @throws StoreException {@code UNUSABLE} if the file is damaged, not a store, written by a later version, or cannot
     *     be written; it is left as it is then
     */
    public static JdbcStore sqlite(Path file) {
        return sqlite(file, SqliteOptions.DEFAULT);
    }

    /**
     * Opens a file, or makes it; its folder must be there.
     *
     * @throws StoreException {@code UNUSABLE} if the file is damaged, not a store, written by a later version, or cannot
     *     be written; it is left as it is then
     */
    public static JdbcStore sqlite(Path file, SqliteOptions options) {
        return sqlite(file, options, InstantSource.system());
    }

    static JdbcStore sqlite(Path file, SqliteOptions options, InstantSource clock) {
        return new JdbcStore(new SqliteFile(file.toAbsolutePath(), options), clock);
    }

    @Override
    public void append(Append append) {
        // Here and not on the writer's thread: writing a fact's text is the caller's work, and not ours to wait for.
        append.facts().forEach(FactEntry::text);
        write(handle -> {
            RunTable.append(handle, append);
            for (ThreadAppend thread : append.threads()) {
                ThreadTable.append(handle, thread, append.at());
            }
            return null;
        });
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return read(handle -> RunTable.read(handle, runId, from));
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return read(handle -> RunTable.find(handle, runId));
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return read(handle -> RunTable.list(handle, filter));
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, String owner) {
        return write(handle -> RunTable.claim(handle, runId, expectedEpoch, owner));
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        write(handle -> {
            OwnerTable.heartbeat(handle, owner, timeToLive, clock.instant());
            return null;
        });
    }

    @Override
    public boolean isAlive(String owner) {
        return read(handle -> OwnerTable.isAlive(handle, owner, clock.instant()));
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return read(handle -> ThreadTable.find(handle, threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return read(handle -> ThreadTable.read(handle, threadId, owner, before, last));
    }

    @Override
    public List<ThreadRecord> listThreads(String resourceId, int offset, int limit) {
        return read(handle -> ThreadTable.list(handle, resourceId, offset, limit));
    }

    @Override
    public boolean deleteThread(String threadId, ThreadOwner owner) {
        return write(handle -> ThreadTable.delete(handle, threadId, owner));
    }

    /** Finishes the writes that were begun or are queued, then closes the file; later calls are {@code UNUSABLE}. */
    @Override
    public void close() {
        // The writer last: only the last connection, if it may write, can clear the write-ahead log away.
        reads.close();
        readers.forEach(reader -> reader.finish(callLimit));
        writer.finish(callLimit);
    }

    /** Has the writer do something in a transaction. */
    <T extends @Nullable Object> T write(Function<Handle, T> work) {
        return call(writes, work);
    }

    /** Has a reader do something on one state of the store. */
    <T extends @Nullable Object> T read(Function<Handle, T> work) {
        return call(reads, work);
    }

    int queuedWrites() {
        return writes.size();
    }

    private <T extends @Nullable Object> T call(CallQueue queue, Function<Handle, T> work) {
        long deadline = System.nanoTime() + callLimit.toNanos();
        Call<T> call = new Call<>(work);
        switch (queue.put(call, deadline)) {
            case DONE -> {}
            case FULL -> throw timeout("it was not begun, and nothing of it is stored");
            case CLOSED -> throw Failures.unusable(file, "is closed; open it again", null);
        }
        try {
            return call.await(deadline);
        } catch (TimeoutException e) {
            throw timeout(
                    call.giveUp()
                            ? "it was not begun, and nothing of it is stored"
                            : "it was begun, and a write may still be stored");
        }
    }

    private StoreException timeout(String standing) {
        return new StoreException(
                Kind.TIMEOUT,
                "The store '" + file + "' did not answer a call within " + callLimit + "; " + standing
                        + ". Is the disk slow, or does another process hold the file?",
                null);
    }
}
