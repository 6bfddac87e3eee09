-- Large texts, each stored once under its SHA-256 in hex. A row that has one keeps the hash, and an empty text. Texts that
-- were there before stay where they are.
CREATE TABLE payloads (
    hash TEXT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;

ALTER TABLE facts ADD COLUMN payload TEXT REFERENCES payloads (hash);
ALTER TABLE thread_messages ADD COLUMN payload TEXT REFERENCES payloads (hash);

-- Who else refers to a payload that could go.
CREATE INDEX facts_by_payload ON facts (payload) WHERE payload IS NOT NULL;
CREATE INDEX messages_by_payload ON thread_messages (payload) WHERE payload IS NOT NULL;
