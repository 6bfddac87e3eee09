-- How a run stands, for lists; derived from its facts, and NULL for a run of a version without these columns.
ALTER TABLE runs ADD COLUMN kind text COLLATE "C";
ALTER TABLE runs ADD COLUMN first_words text COLLATE "C";
ALTER TABLE runs ADD COLUMN step bigint;
ALTER TABLE runs ADD COLUMN input_tokens bigint;
ALTER TABLE runs ADD COLUMN output_tokens bigint;
ALTER TABLE runs ADD COLUMN cached_tokens bigint;
ALTER TABLE runs ADD COLUMN reasoning_tokens bigint;
ALTER TABLE runs ADD COLUMN cost text COLLATE "C";
ALTER TABLE runs ADD COLUMN stop text COLLATE "C";

CREATE INDEX runs_by_agent ON runs (left(agent_id, 500), started_at);

-- The runs that have not ended and whose derived values an earlier version has stored; empty but after an upgrade.
CREATE INDEX runs_outdated ON runs (started_at) WHERE indexed < 2
    AND status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED');
