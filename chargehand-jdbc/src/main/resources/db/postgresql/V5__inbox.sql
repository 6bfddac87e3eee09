-- What others tell a run, until it reads it; a row keeps its digest as long as the run, and its body until it is read.
CREATE TABLE deliveries (
    number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    run    bigint NOT NULL REFERENCES runs (id),
    id     text COLLATE "C"    NOT NULL,
    kind   text COLLATE "C"    NOT NULL,
    digest text COLLATE "C"    NOT NULL,
    body   text COLLATE "C",
    at     bigint NOT NULL,
    CONSTRAINT delivery_once EXCLUDE USING hash ((run::text || ' ' || id) WITH =)
);

-- The calls that wait for an answer.
CREATE TABLE waiting (
    run        bigint NOT NULL REFERENCES runs (id),
    call_id    text COLLATE "C"    NOT NULL,
    wait       integer NOT NULL,
    kind       text COLLATE "C"    NOT NULL,
    tool       text COLLATE "C"    NOT NULL,
    requester  text COLLATE "C",
    expires_at bigint NOT NULL,
    answered   integer NOT NULL DEFAULT 0,
    CONSTRAINT wait_once EXCLUDE USING hash ((run::text || ' ' || call_id) WITH =)
);

CREATE INDEX deliveries_of_run ON deliveries (run);
CREATE INDEX waiting_of_run ON waiting (run);

-- Of a root run: how many deliveries to its tree have not been read, and how many of them wake a suspended run.
ALTER TABLE runs ADD COLUMN undrained bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN wakes bigint NOT NULL DEFAULT 0;

-- By which version of the derived rows the run was written; 0 for a run of a version without them.
ALTER TABLE runs ADD COLUMN indexed integer NOT NULL DEFAULT 0;

CREATE INDEX runs_to_read ON runs (id) WHERE undrained > 0;
