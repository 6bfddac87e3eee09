-- What others tell a run, until it reads it; a row keeps its digest as long as the run, and its body until it is read.
CREATE TABLE deliveries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run    INTEGER NOT NULL REFERENCES runs (id),
    id     TEXT    NOT NULL,
    kind   TEXT    NOT NULL,
    digest TEXT    NOT NULL,
    body   TEXT,
    at     INTEGER NOT NULL,
    UNIQUE (run, id)
) STRICT;

-- The calls that wait for an answer.
CREATE TABLE waiting (
    run        INTEGER NOT NULL REFERENCES runs (id),
    call_id    TEXT    NOT NULL,
    wait       INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    tool       TEXT    NOT NULL,
    requester  TEXT,
    expires_at INTEGER NOT NULL,
    answered   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run, call_id)
) STRICT;

-- Of a root run: how many deliveries to its tree have not been read, and how many of them wake a suspended run.
ALTER TABLE runs ADD COLUMN undrained INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN wakes INTEGER NOT NULL DEFAULT 0;

-- By which version of the derived rows the run was written; 0 for a run of a version without them.
ALTER TABLE runs ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX runs_to_read ON runs (id) WHERE undrained > 0;
