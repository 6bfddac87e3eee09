-- When the first answer that a run waits for expires; NULL if it waits for none.
ALTER TABLE runs ADD COLUMN expires_at bigint;

CREATE INDEX runs_by_expiry ON runs (expires_at) WHERE expires_at IS NOT NULL;

-- Who is at work on a thread: a few rows, however many runs the thread has had.
CREATE INDEX runs_at_work ON runs (left(thread_id, 500)) WHERE status = 'RUNNING';
