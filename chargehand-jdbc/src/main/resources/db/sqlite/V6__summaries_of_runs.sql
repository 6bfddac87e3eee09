-- How a run stands, for lists; derived from its facts, and NULL for a run of a version without these columns.
ALTER TABLE runs ADD COLUMN kind TEXT;
ALTER TABLE runs ADD COLUMN first_words TEXT;
ALTER TABLE runs ADD COLUMN step INTEGER;
ALTER TABLE runs ADD COLUMN input_tokens INTEGER;
ALTER TABLE runs ADD COLUMN output_tokens INTEGER;
ALTER TABLE runs ADD COLUMN cached_tokens INTEGER;
ALTER TABLE runs ADD COLUMN reasoning_tokens INTEGER;
ALTER TABLE runs ADD COLUMN cost TEXT;
ALTER TABLE runs ADD COLUMN stop TEXT;

CREATE INDEX runs_by_agent ON runs (agent_id, started_at, run_id);

-- The runs that have not ended and whose derived values an earlier version has stored; empty but after an upgrade.
CREATE INDEX runs_outdated ON runs (started_at, run_id) WHERE indexed < 2
    AND status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED');
