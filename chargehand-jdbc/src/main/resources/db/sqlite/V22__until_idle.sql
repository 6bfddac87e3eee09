-- Until-idle calls: the first run of the call that a root run is a turn of, or a background task of one.
ALTER TABLE runs ADD COLUMN idle_run_id TEXT;
CREATE INDEX runs_of_idle ON runs (tenant_id, idle_run_id) WHERE idle_run_id IS NOT NULL;
