-- The run that a call has started, by a digest of its key and all that the key counts for.
CREATE TABLE idempotency (
    id         TEXT    NOT NULL PRIMARY KEY,
    tenant_id  TEXT    NOT NULL DEFAULT 'local',
    digest     TEXT    NOT NULL,
    run_id     TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX idempotency_by_age ON idempotency (tenant_id, created_at);
