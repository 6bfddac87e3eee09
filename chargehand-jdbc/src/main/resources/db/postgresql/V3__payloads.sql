-- Large texts, each stored once under its SHA-256 in hex. A row that has one keeps the hash, and an empty text. Texts that
-- were there before stay where they are.
CREATE TABLE payloads (
    hash text COLLATE "C" PRIMARY KEY,
    text text COLLATE "C" NOT NULL
);

ALTER TABLE facts ADD COLUMN payload text COLLATE "C" REFERENCES payloads (hash);
ALTER TABLE thread_messages ADD COLUMN payload text COLLATE "C" REFERENCES payloads (hash);

-- Who else refers to a payload that could go.
CREATE INDEX facts_by_payload ON facts (payload) WHERE payload IS NOT NULL;
CREATE INDEX messages_by_payload ON thread_messages (payload) WHERE payload IS NOT NULL;
