-- To whom a run, a thread and an idempotency key belongs. Thread ids are unique per tenant.
ALTER TABLE runs ADD COLUMN tenant_id text COLLATE "C" NOT NULL DEFAULT 'local';
ALTER TABLE threads ADD COLUMN tenant_id text COLLATE "C" NOT NULL DEFAULT 'local';

-- The length keeps two pairs of ids from being the same text.
ALTER TABLE threads DROP CONSTRAINT thread_once;
ALTER TABLE threads ADD CONSTRAINT thread_once
    EXCLUDE USING hash ((length(tenant_id)::text || ':' || tenant_id || thread_id) WITH =);
DROP INDEX conversations;
CREATE INDEX conversations ON threads (tenant_id, left(resource_id, 500), updated_at) WHERE agent_path IS NULL;

ALTER TABLE idempotency DROP CONSTRAINT idempotency_pkey;
ALTER TABLE idempotency ADD PRIMARY KEY (tenant_id, id);

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
CREATE INDEX runs_by_start ON runs (tenant_id, started_at);
CREATE INDEX runs_by_status ON runs (tenant_id, status, started_at);
CREATE INDEX runs_by_root ON runs (tenant_id, left(root_run_id, 500), started_at);
CREATE INDEX runs_by_thread ON runs (tenant_id, left(thread_id, 500), started_at) WHERE thread_id IS NOT NULL;
CREATE INDEX runs_by_resource ON runs (tenant_id, left(resource_id, 500), started_at) WHERE resource_id IS NOT NULL;
CREATE INDEX runs_by_agent ON runs (tenant_id, left(agent_id, 500), started_at);
CREATE INDEX runs_at_work ON runs (tenant_id, left(thread_id, 500)) WHERE status = 'RUNNING';
CREATE INDEX runs_pending ON runs (tenant_id, left(thread_id, 500), id) WHERE status = 'PENDING';

-- The runs that wait for a process, the oldest of each tenant first.
CREATE INDEX runs_to_wake ON runs (tenant_id, started_at)
    WHERE status = 'PENDING' OR (status = 'SUSPENDED' AND wakes > 0);

-- The runs of all tenants, for those who operate the store.
CREATE INDEX runs_of_all_tenants ON runs (started_at);
