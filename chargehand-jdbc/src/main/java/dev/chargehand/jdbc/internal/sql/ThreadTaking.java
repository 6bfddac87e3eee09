package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Ensures in SQL that one root run at a time uses a thread of a tenant, and that pending runs have their turn first.
 *
 * <p>A transaction that takes a thread holds its lock until its end, and therefore sees all earlier commits of the
 * thread's runs. The lock is the last one of a transaction: its holder never waits for another lock.
 */
public final class ThreadTaking {

    private final Dialect dialect;
    private final String tenant;
    private final Function<Session, Instant> clock;
    private final Duration threadGrace;

    /** Finds a run that has a thread, or keeps it although its process has left it, and has not lost it to this run. */
    private final String runAtWork;

    private final String olderPending;
    private final String takeTurn;

    /**
     * Make the rule.
     *
     * @param clock the clock of the leases
     * @param threadGrace how long a run keeps its thread after its process left it
     */
    public ThreadTaking(Dialect dialect, String tenant, Function<Session, Instant> clock, Duration threadGrace) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.clock = clock;
        this.threadGrace = threadGrace;
        this.runAtWork = """
            SELECT r.run_id FROM runs r
            WHERE r.tenant_id = :tenant AND %s AND r.status = 'RUNNING' AND r.root_run_id = r.run_id AND r.run_id <> :run
                AND %s
                AND NOT EXISTS (SELECT 1 FROM runs mine WHERE mine.run_id = :run AND mine.thread_turn > r.thread_turn)""".formatted(dialect.equality("r.thread_id", ":thread"), keeps("r"));
        this.olderPending = """
            SELECT p.run_id FROM runs p
            WHERE p.tenant_id = :tenant AND %s AND p.status = 'PENDING'
                AND p.id < (SELECT mine.id FROM runs mine WHERE mine.run_id = :run)""".formatted(dialect.equality("p.thread_id", ":thread"));
        this.takeTurn = """
            UPDATE runs SET thread_turn = 1 + COALESCE(
                (SELECT MAX(o.thread_turn) FROM runs o WHERE o.tenant_id = :tenant AND %s AND o.status = 'RUNNING'), 0)
            WHERE run_id = :run AND tenant_id = :tenant AND NOT EXISTS (%s) AND NOT EXISTS (%s)""".formatted(dialect.equality("o.thread_id", ":thread"), runAtWork, olderPending);
    }

    /**
     * Take the thread of a run that is stored already; a nested run, or one without a thread, takes nothing. A running
     * run that was left and keeps its thread no longer loses it with that, and has to take it again when it is resumed.
     *
     * @throws ThreadBusyException if another root run has it or keeps it, or is pending and older
     */
    public void take(Session session, RunId runId) {
        threadOf(session, runId).ifPresent(thread -> take(session, runId, thread));
    }

    /** Take the thread of the run of an append, which is stored already, in the same way. */
    public void take(Session session, Append append) {
        RunRecord started = append.newRun().orElse(null);
        if (started == null) {
            take(session, append.runId());
        } else if (started.isRoot()) {
            started.threadId().ifPresent(thread -> take(session, append.runId(), thread));
        }
    }

    private void take(Session session, RunId runId, String thread) {
        dialect.lockThread(session, tenant, thread);
        long left = left(clock.apply(session), threadGrace);
        while (!takesTurn(session, runId, thread, left)) {
            runAtWork(session, runId, thread, left)
                    .or(() -> olderPending(session, runId, thread))
                    .ifPresent(other -> {
                        throw new ThreadBusyException(thread, other);
                    });
            // It ended in between, which needs no lock of the thread.
        }
    }

    /**
     * Give a run a later turn than others have, if none of them comes before it; only its own row is changed, whose
     * lock the transaction has. One statement where the thread is free: its readers alone would be two more.
     */
    private boolean takesTurn(Session session, RunId runId, String thread, long left) {
        return session.sql(takeTurn)
                        .bind("tenant", tenant)
                        .bind("thread", thread)
                        .bind("run", runId.value())
                        .bind("left", left)
                        .update()
                > 0;
    }

    /** Return whether a run is pending. */
    public boolean isPending(Session session, RunId runId) {
        return session.sql("SELECT 1 FROM runs WHERE run_id = :run AND tenant_id = :tenant AND status = 'PENDING'")
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .hasRow();
    }

    /**
     * Return a condition on the owner of a run: that it is alive, or that it has left the run so lately that the run
     * keeps its thread. It has the parameter {@code :left}, see {@link #left}.
     *
     * @param run the name of the table of the run
     */
    public static String keeps(String run) {
        return """
                (%1$s.released_at > :left OR EXISTS (
                    SELECT 1 FROM owners o WHERE o.owner = %1$s.owner AND (o.alive_until > :left OR o.ended_at > :left)))""".formatted(run);
    }

    /** Return the time since which an owner must have been alive for its runs to keep their threads. */
    public static long left(Instant leaseTime, Duration threadGrace) {
        return leaseTime.minus(threadGrace).toEpochMilli();
    }

    /** Return whether a run is running and has its thread, or keeps it. */
    public boolean keepsThread(Session session, RunId runId) {
        return session.sql(
                        "SELECT 1 FROM runs r WHERE r.run_id = :run AND r.tenant_id = :tenant AND r.status = 'RUNNING' AND "
                                + keeps("r"))
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .bind("left", left(clock.apply(session), threadGrace))
                .hasRow();
    }

    private Optional<String> threadOf(Session session, RunId runId) {
        return session.sql("""
                        SELECT thread_id FROM runs
                        WHERE run_id = :run AND tenant_id = :tenant AND root_run_id = run_id AND thread_id IS NOT NULL""")
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .first(row -> row.text(1));
    }

    private Optional<String> olderPending(Session session, RunId runId, String thread) {
        return session.sql(olderPending + " ORDER BY p.id LIMIT 1")
                .bind("tenant", tenant)
                .bind("thread", thread)
                .bind("run", runId.value())
                .first(row -> row.text(1));
    }

    private Optional<String> runAtWork(Session session, RunId runId, String thread, long left) {
        return session.sql(runAtWork + " LIMIT 1")
                .bind("tenant", tenant)
                .bind("thread", thread)
                .bind("run", runId.value())
                .bind("left", left)
                .first(row -> row.text(1));
    }
}
