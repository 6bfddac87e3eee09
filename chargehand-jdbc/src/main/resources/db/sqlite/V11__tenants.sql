-- To whom a run, a thread and an idempotency key belongs. Thread ids are unique per tenant, for which the table of threads
-- is made again: its rows keep their numbers, to which messages refer. Migrations do not enforce such references, so the
-- messages are not deleted with the old table.
ALTER TABLE runs ADD COLUMN tenant_id TEXT NOT NULL DEFAULT 'local';

CREATE TABLE threads_new (
    id             INTEGER PRIMARY KEY,
    tenant_id      TEXT    NOT NULL DEFAULT 'local',
    thread_id      TEXT    NOT NULL,
    resource_id    TEXT,
    agent_path     TEXT,
    parent_run_id  TEXT,
    parent_call_id TEXT,
    length         INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    title          TEXT,
    metadata       TEXT,
    updated_at     INTEGER NOT NULL,
    UNIQUE (tenant_id, thread_id)
) STRICT;
INSERT INTO threads_new (id, thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length, created_at, title,
        metadata, updated_at)
    SELECT id, thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length, created_at, title, metadata,
        updated_at
    FROM threads;
DROP TABLE threads;
ALTER TABLE threads_new RENAME TO threads;
CREATE INDEX conversations ON threads (tenant_id, resource_id, updated_at, thread_id) WHERE agent_path IS NULL;

CREATE TABLE idempotency_new (
    tenant_id  TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    run_id     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT;
INSERT INTO idempotency_new (tenant_id, id, digest, run_id, created_at)
    SELECT tenant_id, id, digest, run_id, created_at FROM idempotency;
DROP TABLE idempotency;
ALTER TABLE idempotency_new RENAME TO idempotency;
CREATE INDEX idempotency_by_age ON idempotency (tenant_id, created_at);

-- Each way to list the runs of a tenant reads its page from one index, newest first.
DROP INDEX runs_by_start;
DROP INDEX runs_by_status;
DROP INDEX runs_by_root;
DROP INDEX runs_by_thread;
DROP INDEX runs_by_resource;
DROP INDEX runs_by_agent;
DROP INDEX runs_at_work;
DROP INDEX runs_pending;
DROP INDEX runs_to_wake;
CREATE INDEX runs_by_start ON runs (tenant_id, started_at, run_id);
CREATE INDEX runs_by_status ON runs (tenant_id, status, started_at, run_id);
CREATE INDEX runs_by_root ON runs (tenant_id, root_run_id, started_at, run_id);
CREATE INDEX runs_by_thread ON runs (tenant_id, thread_id, started_at, run_id) WHERE thread_id IS NOT NULL;
CREATE INDEX runs_by_resource ON runs (tenant_id, resource_id, started_at, run_id) WHERE resource_id IS NOT NULL;
CREATE INDEX runs_by_agent ON runs (tenant_id, agent_id, started_at, run_id);
CREATE INDEX runs_at_work ON runs (tenant_id, thread_id) WHERE status = 'RUNNING';
CREATE INDEX runs_pending ON runs (tenant_id, thread_id, id) WHERE status = 'PENDING';

-- The runs that wait for a process, the oldest of each tenant first.
CREATE INDEX runs_to_wake ON runs (tenant_id, started_at, run_id)
    WHERE status = 'PENDING' OR (status = 'SUSPENDED' AND wakes > 0);

-- The runs of all tenants, for those who operate the store.
CREATE INDEX runs_of_all_tenants ON runs (started_at, run_id);
