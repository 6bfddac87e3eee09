-- What the memory of agents needs.
--
-- When a thread has memory work to do, NULL for never, and for the memory of which agent; who does it, and until when.
ALTER TABLE threads ADD COLUMN memory_due bigint;
ALTER TABLE threads ADD COLUMN memory_agent text COLLATE "C";
ALTER TABLE threads ADD COLUMN memory_owner text COLLATE "C";
ALTER TABLE threads ADD COLUMN memory_until bigint;
CREATE INDEX threads_memory_due ON threads (id) WHERE memory_due IS NOT NULL;

-- Whose memory it is: with thread 0 that of an owner, else that of one thread of an owner. An id is stored with an equals sign
-- before it, and a missing one as an empty text: no column of a unique key is NULL, because two NULLs are distinct. The lengths
-- keep two rows from being the same text.
CREATE TABLE memory_scopes (
    id          bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    tenant_id   text COLLATE "C" NOT NULL,
    resource_id text COLLATE "C" NOT NULL,
    agent_path  text COLLATE "C" NOT NULL,
    thread      bigint NOT NULL,
    revision    bigint NOT NULL,
    CONSTRAINT scope_once EXCLUDE USING hash ((length(tenant_id)::text || ':' || tenant_id || length(resource_id)::text || ':'
        || resource_id || thread::text || ':' || agent_path) WITH =)
);

-- To delete a thread.
CREATE INDEX memory_scopes_of_threads ON memory_scopes (thread) WHERE thread > 0;

-- Which vectors can be compared; used_at says to within a day when vectors were stored last.
CREATE TABLE spaces (
    id         bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name       text COLLATE "C" NOT NULL,
    dimensions bigint NOT NULL,
    used_at    bigint NOT NULL,
    CONSTRAINT space_once EXCLUDE USING hash (name WITH =)
);

-- The vectors of passages of messages; the scope is that of the owner, and said_at is the time of the message, or 0.
CREATE TABLE vectors (
    id       bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    space    bigint NOT NULL REFERENCES spaces (id),
    scope    bigint NOT NULL REFERENCES memory_scopes (id),
    thread   bigint NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    position bigint NOT NULL,
    part     bigint NOT NULL,
    said_at  bigint NOT NULL,
    vector   bytea  NOT NULL,
    UNIQUE (thread, space, position, part)
);
CREATE INDEX vectors_of_owners ON vectors (scope, space, said_at, position, thread);

-- Which messages of a thread have what is derived from them: those from low to the one before high.
CREATE TABLE memory_cursors (
    thread   bigint NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    kind     text COLLATE "C" NOT NULL,
    space    bigint NOT NULL,
    scope    bigint NOT NULL REFERENCES memory_scopes (id),
    low      bigint NOT NULL,
    high     bigint NOT NULL,
    tries    bigint NOT NULL,
    retry_at bigint,
    PRIMARY KEY (thread, kind, space)
);
CREATE INDEX memory_cursors_of_owners ON memory_cursors (scope, space);

-- The revisions of a working memory; text is NULL where it is not kept any more.
CREATE TABLE working_memory (
    scope      bigint NOT NULL REFERENCES memory_scopes (id),
    revision   bigint NOT NULL,
    edit_key   text COLLATE "C" NOT NULL,
    text       text COLLATE "C",
    created_at bigint NOT NULL,
    PRIMARY KEY (scope, revision),
    CONSTRAINT edit_once EXCLUDE USING hash ((scope::text || ' ' || edit_key) WITH =)
);
