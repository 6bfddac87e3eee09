package dev.chargehand.jdbc;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.jdbc.SqliteOptions.Synchronous;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.Causes;
import dev.chargehand.jdbc.internal.call.FileWatch;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the queued calls in one transaction, and notifies each caller after the commit.
 *
 * <p>A rejected call (another owner, another epoch) rolls back its own changes and leaves the others. When the
 * transaction itself fails, each call gets one of its own, so that one that finds no room does not take others down.
 *
 * <p>A commit counts only if the file is still where it was opened. A group is synced with the disk if one of its calls
 * must survive a power cut, or none or all of them are, as the options say. Used by the thread of one connection.
 */
final class GroupCommit implements BiConsumer<Handle, List<Call<?>>> {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final Path file;
    private final Synchronous synchronous;
    private final FileWatch watch;
    private boolean full;

    /** Make it for a connection that was opened with the level of the options, or without syncing. */
    GroupCommit(Path file, Synchronous synchronous) {
        this.file = file;
        this.synchronous = synchronous;
        this.watch = new FileWatch(file);
        this.full = synchronous == Synchronous.FULL;
    }

    /** Remember which file is open from now on. */
    void opened() {
        watch.opened();
    }

    @Override
    public void accept(Handle handle, List<Call<?>> calls) {
        List<Call<?>> begun = calls.stream().filter(Call::begin).toList();
        if (!begun.isEmpty() && begin(handle, begun, begun)) {
            commit(handle, begun);
        }
    }

    /**
     * Take the write lock, or fail all the calls that wait: for each of them it would fail again, after another wait.
     *
     * @param group what is to be written in this transaction
     */
    private boolean begin(Handle handle, List<Call<?>> group, List<Call<?>> waiting) {
        try {
            setLevel(handle, group);
            handle.execute("BEGIN IMMEDIATE");
            return true;
        } catch (Throwable e) {
            rollBack(handle);
            waiting.forEach(call -> call.fail(SqliteFailures.of(file, e)));
            return false;
        }
    }

    /** Set the level before the transaction: SQLite ignores it in one. */
    private void setLevel(Handle handle, List<Call<?>> group) {
        if (synchronous != Synchronous.WHERE_NEEDED) {
            return;
        }
        boolean needed = group.stream().anyMatch(Call::isDurable);
        if (needed != full) {
            handle.execute(needed ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
            full = needed;
        }
    }

    private void commit(Handle handle, List<Call<?>> calls) {
        try {
            calls.forEach(call -> attempt(handle, call));
            handle.execute("COMMIT");
        } catch (Throwable e) {
            rollBack(handle);
            if (calls.size() == 1) {
                calls.getFirst().fail(SqliteFailures.of(file, e));
            } else {
                commitOneByOne(handle, calls);
            }
            return;
        }
        if (watch.isLost()) {
            calls.forEach(call -> call.fail(SqliteFailures.lost(file)));
        } else {
            calls.forEach(Call::settle);
        }
    }

    private void commitOneByOne(Handle handle, List<Call<?>> calls) {
        for (int i = 0; i < calls.size(); i++) {
            List<Call<?>> one = List.of(calls.get(i));
            if (!begin(handle, one, calls.subList(i, calls.size()))) {
                return;
            }
            commit(handle, one);
        }
    }

    private static void attempt(Handle handle, Call<?> call) {
        handle.execute("SAVEPOINT this_call");
        try {
            call.attempt(handle);
        } catch (ChargehandException refusal) {
            handle.execute("ROLLBACK TO this_call");
            call.refuse(refusal);
        }
        handle.execute("RELEASE this_call");
    }

    /** End a transaction that failed, if there still is one. */
    static void rollBack(Handle handle) {
        try {
            handle.execute("ROLLBACK");
        } catch (RuntimeException e) {
            // Most failures have made SQLite roll back by itself, and then there is nothing left to do.
            LOG.debug("No transaction to roll back.", Causes.plain(e));
        }
    }
}
