-- Times are milliseconds since 1970-01-01T00:00Z; texts of facts and messages are JSON that the store never interprets.
-- Facts and messages point to short numbers, so that a long run id is stored and indexed once and not with every row.

CREATE TABLE runs (
    id             INTEGER PRIMARY KEY,
    run_id         TEXT    NOT NULL UNIQUE,
    root_run_id    TEXT    NOT NULL,
    parent_run_id  TEXT,
    parent_call_id TEXT,
    agent_id       TEXT    NOT NULL,
    path           TEXT    NOT NULL,
    thread_id      TEXT,
    resource_id    TEXT,
    status         TEXT    NOT NULL,
    owner          TEXT    NOT NULL,
    epoch          INTEGER NOT NULL,
    length         INTEGER NOT NULL,
    started_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;

-- Each way to list runs reads its page from one index, newest first.
CREATE INDEX runs_by_start ON runs (started_at, run_id);
CREATE INDEX runs_by_status ON runs (status, started_at, run_id);
CREATE INDEX runs_by_root ON runs (root_run_id, started_at, run_id);
CREATE INDEX runs_by_thread ON runs (thread_id, started_at, run_id) WHERE thread_id IS NOT NULL;
CREATE INDEX runs_by_resource ON runs (resource_id, started_at, run_id) WHERE resource_id IS NOT NULL;

CREATE TABLE facts (
    run     INTEGER NOT NULL REFERENCES runs (id),
    seq     INTEGER NOT NULL,
    type    TEXT    NOT NULL,
    version INTEGER NOT NULL,
    text    TEXT    NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT;

CREATE TABLE threads (
    id             INTEGER PRIMARY KEY,
    thread_id      TEXT    NOT NULL UNIQUE,
    resource_id    TEXT,
    agent_path     TEXT,
    parent_run_id  TEXT,
    parent_call_id TEXT,
    length         INTEGER NOT NULL,
    created_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX conversations ON threads (resource_id, created_at, thread_id) WHERE agent_path IS NULL;

CREATE TABLE thread_messages (
    thread     INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    message_id TEXT    NOT NULL,
    text       TEXT    NOT NULL,
    PRIMARY KEY (thread, position),
    UNIQUE (thread, message_id)
) STRICT;

CREATE TABLE owners (
    owner       TEXT    NOT NULL PRIMARY KEY,
    alive_until INTEGER NOT NULL
) STRICT;
