-- What an application keeps with a thread; metadata is a JSON object, and NULL is one without keys.
ALTER TABLE threads ADD COLUMN title TEXT;
ALTER TABLE threads ADD COLUMN metadata TEXT;
ALTER TABLE threads ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
UPDATE threads SET updated_at = created_at;

-- NULL for a message of a version without this column.
ALTER TABLE thread_messages ADD COLUMN created_at INTEGER;

DROP INDEX conversations;
CREATE INDEX conversations ON threads (resource_id, updated_at, thread_id) WHERE agent_path IS NULL;
