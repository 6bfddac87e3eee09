-- Background tasks: the task that a root run is an attempt of, where it comes from, where its result is, and which run has read that.
ALTER TABLE runs ADD COLUMN task_id TEXT;
ALTER TABLE runs ADD COLUMN task_attempt INTEGER;
ALTER TABLE runs ADD COLUMN origin_run_id TEXT;
ALTER TABLE runs ADD COLUMN origin_call_id TEXT;
ALTER TABLE runs ADD COLUMN origin_thread_id TEXT;
ALTER TABLE runs ADD COLUMN result_at INTEGER;
ALTER TABLE runs ADD COLUMN read_by TEXT;
CREATE INDEX runs_of_origins ON runs (tenant_id, origin_run_id) WHERE task_id IS NOT NULL;
CREATE INDEX runs_of_tasks ON runs (tenant_id, task_id) WHERE task_id IS NOT NULL;
CREATE INDEX runs_of_origin_threads ON runs (tenant_id, origin_thread_id) WHERE task_id IS NOT NULL;
