-- Background tasks: the task that a root run is an attempt of, where it comes from, where its result is, and which run has read that.
ALTER TABLE runs ADD COLUMN task_id text COLLATE "C";
ALTER TABLE runs ADD COLUMN task_attempt bigint;
ALTER TABLE runs ADD COLUMN origin_run_id text COLLATE "C";
ALTER TABLE runs ADD COLUMN origin_call_id text COLLATE "C";
ALTER TABLE runs ADD COLUMN origin_thread_id text COLLATE "C";
ALTER TABLE runs ADD COLUMN result_at bigint;
ALTER TABLE runs ADD COLUMN read_by text COLLATE "C";
CREATE INDEX runs_of_origins ON runs (tenant_id, left(origin_run_id, 500)) WHERE task_id IS NOT NULL;
CREATE INDEX runs_of_tasks ON runs (tenant_id, left(task_id, 500)) WHERE task_id IS NOT NULL;
CREATE INDEX runs_of_origin_threads ON runs (tenant_id, left(origin_thread_id, 500)) WHERE task_id IS NOT NULL;
