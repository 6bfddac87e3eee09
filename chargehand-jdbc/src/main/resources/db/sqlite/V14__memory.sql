-- What the memory of agents needs.
--
-- When a thread has memory work to do, NULL for never, and for the memory of which agent; who does it, and until when.
ALTER TABLE threads ADD COLUMN memory_due INTEGER;
ALTER TABLE threads ADD COLUMN memory_agent TEXT;
ALTER TABLE threads ADD COLUMN memory_owner TEXT;
ALTER TABLE threads ADD COLUMN memory_until INTEGER;
CREATE INDEX threads_memory_due ON threads (id) WHERE memory_due IS NOT NULL;

-- Whose memory it is: with thread 0 that of an owner, else that of one thread of an owner. An id is stored with an equals sign
-- before it, and a missing one as an empty text: no column of a unique key is NULL, because two NULLs are distinct.
CREATE TABLE memory_scopes (
    id          INTEGER PRIMARY KEY,
    tenant_id   TEXT    NOT NULL,
    resource_id TEXT    NOT NULL,
    agent_path  TEXT    NOT NULL,
    thread      INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    UNIQUE (tenant_id, resource_id, agent_path, thread)
) STRICT;

-- To delete a thread.
CREATE INDEX memory_scopes_of_threads ON memory_scopes (thread) WHERE thread > 0;

-- Which vectors can be compared; used_at says to within a day when vectors were stored last.
CREATE TABLE spaces (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    used_at    INTEGER NOT NULL
) STRICT;

-- The vectors of passages of messages; the scope is that of the owner, and said_at is the time of the message, or 0.
CREATE TABLE vectors (
    id       INTEGER PRIMARY KEY,
    space    INTEGER NOT NULL REFERENCES spaces (id),
    scope    INTEGER NOT NULL REFERENCES memory_scopes (id),
    thread   INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    part     INTEGER NOT NULL,
    said_at  INTEGER NOT NULL,
    vector   BLOB    NOT NULL,
    UNIQUE (thread, space, position, part)
) STRICT;
CREATE INDEX vectors_of_owners ON vectors (scope, space, said_at, position, thread);

-- Which messages of a thread have what is derived from them: those from low to the one before high.
CREATE TABLE memory_cursors (
    thread   INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    kind     TEXT    NOT NULL,
    space    INTEGER NOT NULL,
    scope    INTEGER NOT NULL REFERENCES memory_scopes (id),
    low      INTEGER NOT NULL,
    high     INTEGER NOT NULL,
    tries    INTEGER NOT NULL,
    retry_at INTEGER,
    PRIMARY KEY (thread, kind, space)
) STRICT;
CREATE INDEX memory_cursors_of_owners ON memory_cursors (scope, space);

-- The revisions of a working memory; text is NULL where it is not kept any more.
CREATE TABLE working_memory (
    scope      INTEGER NOT NULL REFERENCES memory_scopes (id),
    revision   INTEGER NOT NULL,
    edit_key   TEXT    NOT NULL,
    text       TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (scope, revision),
    UNIQUE (scope, edit_key)
) STRICT;
