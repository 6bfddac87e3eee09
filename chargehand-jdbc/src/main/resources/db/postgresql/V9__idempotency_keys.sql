-- The run that a call has started, by a digest of its key and all that the key counts for.
CREATE TABLE idempotency (
    id         text    NOT NULL PRIMARY KEY,
    tenant_id  text    NOT NULL DEFAULT 'local',
    digest     text    NOT NULL,
    run_id     text    NOT NULL,
    created_at bigint  NOT NULL
);

CREATE INDEX idempotency_by_age ON idempotency (left(tenant_id, 500), created_at);
