package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.run.RunId;
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

    /**
     * Make the rule.
     *
     * @param clock the clock of the leases
     */
    public ThreadTaking(Dialect dialect, String tenant, Function<Handle, Instant> clock) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.clock = clock;
    }

    /**
     * Take the thread of a run that is stored already; a nested run, or one without a thread, takes nothing.
     *
     * @throws ThreadBusyException if another root run on it is running and its owner is alive, or is pending and older
     */
    public void take(Handle handle, RunId runId) {
        threadOf(handle, runId).ifPresent(thread -> {
            dialect.lockThread(handle, tenant, thread);
            Optional<String> before = runAtWork(handle, thread, runId);
            before.or(() -> olderPending(handle, thread, runId)).ifPresent(other -> {
                throw new ThreadBusyException(thread, other);
            });
        });
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

    private Optional<String> runAtWork(Handle handle, String thread, RunId runId) {
        return handle.createQuery("""
                        SELECT run_id FROM runs r
                        WHERE tenant_id = :tenant AND %s AND status = 'RUNNING' AND root_run_id = run_id AND run_id <> :run
                            AND EXISTS (SELECT 1 FROM owners o WHERE o.owner = r.owner AND o.alive_until > :now)
                        LIMIT 1""".formatted(dialect.equality("thread_id", ":thread")))
                .bind("tenant", tenant)
                .bind("thread", thread)
                .bind("run", runId.value())
                .bind("now", clock.apply(handle).toEpochMilli())
                .map((rs, context) -> new Row(rs, dialect).text("run_id"))
                .findOne();
    }
}
