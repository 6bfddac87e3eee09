-- Of a root run: how often it was woken since it last made progress, and when it may be woken again.
ALTER TABLE runs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0;

-- The rows that a process looks for: calls whose time may be over, running runs with something to read, suspended ones
-- with something that wakes them.
CREATE INDEX waiting_to_expire ON waiting (expires_at) WHERE answered = 0;
DROP INDEX runs_to_read;
CREATE INDEX runs_to_read ON runs (owner) WHERE undrained > 0 AND status = 'RUNNING';
CREATE INDEX runs_to_wake ON runs (status, owner) WHERE wakes > 0;
