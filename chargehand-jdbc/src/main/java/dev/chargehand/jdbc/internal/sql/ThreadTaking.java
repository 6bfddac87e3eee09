package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Ensures in SQL that one root run at a time uses a thread of a tenant, and that pending runs have their turn first.
 *
 * <p>A transaction that takes a thread holds its lock until its end, and therefore sees all earlier commits of the
 * thread's runs. The lock is the last one of a transaction: its holder never waits for another lock.
 */
public final class ThreadTaking {

    private final Dialect dialect;
    private final String tenant;
    private final Function<Handle, Instant> clock;
    private final Duration threadGrace;

    /**
     * Make the rule.
     *
     * @param clock the clock of the leases
     * @param threadGrace how long a run keeps its thread after its process left it
     */
    public ThreadTaking(Dialect dialect, String tenant, Function<Handle, Instant> clock, Duration threadGrace) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.clock = clock;
        this.threadGrace = threadGrace;
    }

    /**
     * Take the thread of a run that is stored already; a nested run, or one without a thread, takes nothing. A running
     * run that was left and keeps its thread no longer loses it with that, and has to take it again when it is resumed.
     *
     * @throws ThreadBusyException if another root run has it or keeps it, or is pending and older
     */
    public void take(Handle handle, RunId runId) {
        threadOf(handle, runId).ifPresent(thread -> {
            dialect.lockThread(handle, tenant, thread);
            Optional<String> before = runAtWork(handle, thread, runId);
            before.or(() -> olderPending(handle, thread, runId)).ifPresent(other -> {
                throw new ThreadBusyException(thread, other);
            });
            takeTurn(handle, thread, runId);
        });
    }

    /** Give a run a later turn than others have; only its own row is changed, whose lock the transaction has. */
    private void takeTurn(Handle handle, String thread, RunId runId) {
        int ignored = handle.createUpdate("""
                        UPDATE runs SET thread_turn = 1 + COALESCE(
                            (SELECT MAX(o.thread_turn) FROM runs o WHERE o.tenant_id = :tenant AND %s AND o.status = 'RUNNING'), 0)
                        WHERE run_id = :run AND tenant_id = :tenant""".formatted(dialect.equality("o.thread_id", ":thread")))
                .bind("tenant", tenant)
                .bind("thread", thread)
                .bind("run", runId.value())
                .execute();
    }

    /** Return whether a run is pending. */
    public boolean isPending(Handle handle, RunId runId) {
        return handle.createQuery(
                        "SELECT 1 FROM runs WHERE run_id = :run AND tenant_id = :tenant AND status = 'PENDING'")
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    private Optional<String> threadOf(Handle handle, RunId runId) {
        return handle.createQuery("""
                        SELECT thread_id FROM runs
                        WHERE run_id = :run AND tenant_id = :tenant AND root_run_id = run_id AND thread_id IS NOT NULL""")
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .map((rs, context) -> new Row(rs, dialect).text("thread_id"))
                .findOne();
    }

    private Optional<String> olderPending(Handle handle, String thread, RunId runId) {
        return handle.createQuery("""
                        SELECT run_id FROM runs p
                        WHERE tenant_id = :tenant AND %s AND status = 'PENDING' AND id < (SELECT r.id FROM runs r WHERE r.run_id = :run)
                        ORDER BY id LIMIT 1""".formatted(dialect.equality("thread_id", ":thread")))
                .bind("tenant", tenant)
                .bind("thread", thread)
                .bind("run", runId.value())
                .map((rs, context) -> new Row(rs, dialect).text("run_id"))
                .findOne();
    }

    /**
     * Return a condition on the owner of a run: that it is alive, or that it has left the run so lately that the run
     * keeps its thread. It has the parameter {@code :left}, see {@link #left}.
     *
     * @param run the name of the table of the run
     */
    static String keeps(String run) {
        return """
                (%1$s.released_at > :left OR EXISTS (
                    SELECT 1 FROM owners o WHERE o.owner = %1$s.owner AND (o.alive_until > :left OR o.ended_at > :left)))""".formatted(run);
    }

    /** Return the time since which an owner must have been alive for its runs to keep their threads. */
    static long left(Instant leaseTime, Duration threadGrace) {
        return leaseTime.minus(threadGrace).toEpochMilli();
    }

    /** Return a run that has a thread, or keeps it although its process has left it. */
    private Optional<String> runAtWork(Handle handle, String thread, RunId runId) {
        return handle.createQuery("""
                        SELECT run_id FROM runs r
                        WHERE tenant_id = :tenant AND %s AND status = 'RUNNING' AND root_run_id = run_id AND run_id <> :run
                            AND %s
                            AND NOT EXISTS (SELECT 1 FROM runs mine WHERE mine.run_id = :run AND mine.thread_turn > r.thread_turn)
                        LIMIT 1""".formatted(dialect.equality("thread_id", ":thread"), keeps("r")))
                .bind("tenant", tenant)
                .bind("thread", thread)
                .bind("run", runId.value())
                .bind("left", left(clock.apply(handle), threadGrace))
                .map((rs, context) -> new Row(rs, dialect).text("run_id"))
                .findOne();
    }
}
