-- What an application keeps with a thread; metadata is a JSON object, and NULL is one without keys.
ALTER TABLE threads ADD COLUMN title text COLLATE "C";
ALTER TABLE threads ADD COLUMN metadata text COLLATE "C";
ALTER TABLE threads ADD COLUMN updated_at bigint NOT NULL DEFAULT 0;
UPDATE threads SET updated_at = created_at;

-- NULL for a message of a version without this column.
ALTER TABLE thread_messages ADD COLUMN created_at bigint;

DROP INDEX conversations;
CREATE INDEX conversations ON threads (left(resource_id, 500), updated_at) WHERE agent_path IS NULL;
