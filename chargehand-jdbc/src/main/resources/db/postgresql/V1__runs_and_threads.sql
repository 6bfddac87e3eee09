-- The tables of db/sqlite, as PostgreSQL takes them. Times are milliseconds since 1970-01-01T00:00Z.
--
-- Ids are of any length, and a B-tree takes 2,700 bytes at most: what is unique is held so by a hash index, and lists
-- are read by how an id begins. Texts are compared byte by byte, whatever the database's language.

CREATE TABLE runs (
    id             bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    run_id         text COLLATE "C" NOT NULL,
    root_run_id    text COLLATE "C" NOT NULL,
    parent_run_id  text COLLATE "C",
    parent_call_id text COLLATE "C",
    agent_id       text COLLATE "C" NOT NULL,
    path           text COLLATE "C" NOT NULL,
    thread_id      text COLLATE "C",
    resource_id    text COLLATE "C",
    status         text COLLATE "C" NOT NULL,
    owner          text COLLATE "C" NOT NULL,
    epoch          bigint NOT NULL,
    length         bigint NOT NULL,
    started_at     bigint NOT NULL,
    updated_at     bigint NOT NULL,
    CONSTRAINT run_once EXCLUDE USING hash (run_id WITH =)
) WITH (fillfactor = 80); -- Room for a run's next state beside its last, so that no index has to change.

CREATE INDEX runs_by_start ON runs (started_at);
CREATE INDEX runs_by_status ON runs (status, started_at);
CREATE INDEX runs_by_root ON runs (left(root_run_id, 500), started_at);
CREATE INDEX runs_by_thread ON runs (left(thread_id, 500), started_at) WHERE thread_id IS NOT NULL;
CREATE INDEX runs_by_resource ON runs (left(resource_id, 500), started_at) WHERE resource_id IS NOT NULL;

CREATE TABLE facts (
    run     bigint NOT NULL REFERENCES runs (id),
    seq     bigint NOT NULL,
    type    text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    text    text COLLATE "C" NOT NULL,
    PRIMARY KEY (run, seq)
);

CREATE TABLE threads (
    id             bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    thread_id      text COLLATE "C" NOT NULL,
    resource_id    text COLLATE "C",
    agent_path     text COLLATE "C",
    parent_run_id  text COLLATE "C",
    parent_call_id text COLLATE "C",
    length         bigint NOT NULL,
    created_at     bigint NOT NULL,
    CONSTRAINT thread_once EXCLUDE USING hash (thread_id WITH =)
) WITH (fillfactor = 80);

CREATE INDEX conversations ON threads (left(resource_id, 500), created_at) WHERE agent_path IS NULL;

CREATE TABLE thread_messages (
    thread     bigint NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    position   bigint NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    text       text COLLATE "C" NOT NULL,
    PRIMARY KEY (thread, position),
    CONSTRAINT message_once EXCLUDE USING hash ((thread::text || ' ' || message_id) WITH =)
);

CREATE TABLE owners (
    owner       text COLLATE "C" NOT NULL,
    alive_until bigint NOT NULL,
    CONSTRAINT owner_once EXCLUDE USING hash (owner WITH =)
);
