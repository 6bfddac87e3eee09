package dev.chargehand.jdbc;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.jdbc.SqliteOptions.Synchronous;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.call.Causes;
import dev.chargehand.jdbc.internal.call.FileWatch;
import dev.chargehand.jdbc.internal.session.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
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
final class GroupCommit implements BiConsumer<Session, List<Call<?>>> {

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
    public void accept(Session session, List<Call<?>> calls) {
        List<Call<?>> begun = calls.stream().filter(Call::begin).toList();
        List<Call<?>> together = begun.stream().filter(call -> !call.isAlone()).toList();
        if (!together.isEmpty() && begin(session, together, together)) {
            commit(session, together);
        }
        begun.stream().filter(Call::isAlone).forEach(call -> outsideTransactions(session, call));
    }

    private void outsideTransactions(Session session, Call<?> call) {
        try {
            call.attempt(session);
            call.settle();
        } catch (ChargehandException refusal) {
            call.fail(refusal);
        } catch (RuntimeException e) {
            call.fail(SqliteFailures.of(file, e));
        }
    }

    /**
     * Take the write lock, or fail all the calls that wait: for each of them it would fail again, after another wait.
     *
     * @param group what is to be written in this transaction
     */
    private boolean begin(Session session, List<Call<?>> group, List<Call<?>> waiting) {
        try {
            setLevel(session, group);
            session.sql("BEGIN IMMEDIATE").update();
            return true;
        } catch (Throwable e) {
            rollBack(session);
            waiting.forEach(call -> call.fail(SqliteFailures.of(file, e)));
            return false;
        }
    }

    /** Set the level before the transaction: SQLite ignores it in one. */
    private void setLevel(Session session, List<Call<?>> group) {
        if (synchronous != Synchronous.WHERE_NEEDED) {
            return;
        }
        boolean needed = group.stream().anyMatch(Call::isDurable);
        if (needed != full) {
            session.execute(needed ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
            full = needed;
        }
    }

    private void commit(Session session, List<Call<?>> calls) {
        try {
            if (calls.size() == 1) {
                commitAlone(session, calls.getFirst());
            } else {
                calls.forEach(call -> attempt(session, call));
                session.sql("COMMIT").update();
            }
        } catch (Throwable e) {
            rollBack(session);
            if (calls.size() == 1) {
                calls.getFirst().fail(SqliteFailures.of(file, e));
            } else {
                commitOneByOne(session, calls);
            }
            return;
        }
        if (watch.isLost()) {
            calls.forEach(call -> call.fail(SqliteFailures.lost(file)));
        } else {
            calls.forEach(Call::settle);
        }
    }

    private void commitOneByOne(Session session, List<Call<?>> calls) {
        for (int i = 0; i < calls.size(); i++) {
            List<Call<?>> one = List.of(calls.get(i));
            if (!begin(session, one, calls.subList(i, calls.size()))) {
                return;
            }
            commit(session, one);
        }
    }

    /** Needs no savepoint: there is nothing but the call to be taken back. */
    private static void commitAlone(Session session, Call<?> call) {
        try {
            call.attempt(session);
        } catch (ChargehandException refusal) {
            session.sql("ROLLBACK").update();
            call.refuse(refusal);
            return;
        }
        session.sql("COMMIT").update();
    }

    private static void attempt(Session session, Call<?> call) {
        session.sql("SAVEPOINT this_call").update();
        try {
            call.attempt(session);
        } catch (ChargehandException refusal) {
            session.sql("ROLLBACK TO this_call").update();
            call.refuse(refusal);
        }
        session.sql("RELEASE this_call").update();
    }

    /** End a transaction that failed, if there still is one. */
    static void rollBack(Session session) {
        try {
            session.sql("ROLLBACK").update();
        } catch (RuntimeException e) {
            // Most failures have made SQLite roll back by itself, and then there is nothing left to do.
            LOG.debug("No transaction to roll back.", Causes.plain(e));
        }
    }
}
