package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.store.Append;
import dev.chargehand.store.Append.IdempotencyKey;
import java.util.List;
import org.jdbi.v3.core.Handle;

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
    public void insert(Handle handle, List<Append> appends) {
        for (Append append : appends) {
            append.idempotencyKey().ifPresent(key -> insert(handle, append, key));
        }
    }

    private void insert(Handle handle, Append append, IdempotencyKey key) {
        long dayAgo = append.at().minus(IdempotencyKey.VALIDITY).toEpochMilli();
        int stored = handle.createUpdate("""
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
                .execute();
        if (stored == 0) {
            throw used(handle, key);
        }
        handle.createUpdate("""
                        DELETE FROM idempotency WHERE tenant_id = :tenant AND id IN (
                            SELECT id FROM idempotency WHERE tenant_id = :tenant AND created_at < :dayAgo
                            ORDER BY created_at LIMIT :most%s)""".formatted(dialect.freeRows()))
                .bind("tenant", tenant)
                .bind("dayAgo", dayAgo)
                .bind("most", IdempotencyKey.MOST_DELETED)
                .execute();
    }

    private IdempotencyKeyException used(Handle handle, IdempotencyKey key) {
        return handle.createQuery("SELECT run_id, digest FROM idempotency WHERE tenant_id = :tenant AND id = :id")
                .bind("tenant", tenant)
                .bind("id", key.id())
                .map((rs, context) -> {
                    Row row = new Row(rs, dialect);
                    return new IdempotencyKeyException(row.text("run_id"), row.text("digest"));
                })
                .one();
    }
}
