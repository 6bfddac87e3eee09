package dev.chargehand.jdbc;

import dev.chargehand.error.ChargehandException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what has gathered in one transaction, and tells each caller after the commit.
 *
 * <p>A call that is refused (another owner, another epoch) takes its own changes back and leaves the others. When the
 * transaction itself fails, each call gets one of its own, so that one that finds no room does not take others down.
 */
final class GroupCommit implements BiConsumer<Handle, List<Call<?>>> {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final Path file;

    GroupCommit(Path file) {
        this.file = file;
    }

    @Override
    public void accept(Handle handle, List<Call<?>> calls) {
        List<Call<?>> begun = calls.stream().filter(Call::begin).toList();
        if (!begun.isEmpty() && begin(handle, begun)) {
            commit(handle, begun);
        }
    }

    /** Takes the write lock, or fails all the calls: for each of them it would fail again, after another wait. */
    private boolean begin(Handle handle, List<Call<?>> calls) {
        try {
            handle.execute("BEGIN IMMEDIATE");
            return true;
        } catch (Throwable e) {
            rollBack(handle);
            calls.forEach(call -> call.fail(SqliteFailures.of(file, e)));
            return false;
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
        calls.forEach(Call::settle);
    }

    private void commitOneByOne(Handle handle, List<Call<?>> calls) {
        for (int i = 0; i < calls.size() && begin(handle, calls.subList(i, calls.size())); i++) {
            commit(handle, List.of(calls.get(i)));
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

    /** Ends a transaction that failed, if there still is one. */
    static void rollBack(Handle handle) {
        try {
            handle.execute("ROLLBACK");
        } catch (RuntimeException e) {
            // Most failures have made SQLite roll back by itself, and then there is nothing left to do.
            LOG.debug("No transaction to roll back.", Causes.plain(e));
        }
    }
}
