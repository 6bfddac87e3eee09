package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Append.IdempotencyKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The idempotency keys of a tenant, in SQL. */
public final class IdempotencyTable {

    private final Dialect dialect;
    private final String tenant;

    public IdempotencyTable(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /**
     * Store the keys of appends.
     *
     * @throws IdempotencyKeyException if one of them has been used by another append
     */
    public void insert(Session session, List<Append> appends) {
        for (Append append : appends) {
            append.idempotencyKey().ifPresent(key -> insert(session, append, key));
        }
    }

    private void insert(Session session, Append append, IdempotencyKey key) {
        long dayAgo = append.at().minus(IdempotencyKey.VALIDITY).toEpochMilli();
        int stored = session.sql("""
                        INSERT INTO idempotency (id, tenant_id, digest, run_id, created_at)
                        VALUES (:id, :tenant, :digest, :run, :at)
                        ON CONFLICT (tenant_id, id) DO UPDATE
                        SET digest = excluded.digest, run_id = excluded.run_id, created_at = excluded.created_at
                        WHERE idempotency.created_at < :dayAgo""")
                .bind("id", key.id())
                .bind("tenant", tenant)
                .bind("digest", key.digest())
                .bind("run", append.runId().value())
                .bind("at", append.at().toEpochMilli())
                .bind("dayAgo", dayAgo)
                .update();
        if (stored == 0) {
            RunId run = find(session, key, append.at())
                    .orElseThrow(() -> new IllegalStateException(
                            "An idempotency key was in use and is missing, in one transaction."));
            throw new IdempotencyKeyException(run.value(), key.digest());
        }
        session.sql("""
                        DELETE FROM idempotency WHERE tenant_id = :tenant AND id IN (
                            SELECT id FROM idempotency WHERE tenant_id = :tenant AND created_at < :dayAgo
                            ORDER BY created_at LIMIT :most%s)""".formatted(dialect.freeRows()))
                .bind("tenant", tenant)
                .bind("dayAgo", dayAgo)
                .bind("most", IdempotencyKey.MOST_DELETED)
                .update();
    }

    /**
     * Return the run that a key has started, if it counts at a moment.
     *
     * @throws IdempotencyKeyException if it is stored with another digest
     */
    public Optional<RunId> find(Session session, IdempotencyKey key, Instant at) {
        record Used(String runId, String digest) {}
        return session.sql("""
                        SELECT run_id, digest FROM idempotency
                        WHERE tenant_id = :tenant AND id = :id AND created_at >= :dayAgo""")
                .bind("tenant", tenant)
                .bind("id", key.id())
                .bind("dayAgo", at.minus(IdempotencyKey.VALIDITY).toEpochMilli())
                .first(row -> new Used(row.text("run_id"), row.text("digest")))
                .map(used -> {
                    if (!used.digest().equals(key.digest())) {
                        throw new IdempotencyKeyException(used.runId(), used.digest());
                    }
                    return new RunId(used.runId());
                });
    }
}
