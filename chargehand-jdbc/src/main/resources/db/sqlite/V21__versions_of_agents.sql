-- The saved versions of agents. A document does not change.
CREATE TABLE agent_versions (
    tenant_id  TEXT    NOT NULL,
    agent_id   TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    document   TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, version)
) STRICT;

-- Which version of an agent is published, if one is, and the number of the one that was saved last: a number is not used again when its
-- version is deleted.
CREATE TABLE agent_published (
    tenant_id TEXT    NOT NULL,
    agent_id  TEXT    NOT NULL,
    version   INTEGER,
    last      INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, agent_id)
) STRICT;

-- The version of the agent or workflow that a run executes; NULL for none, and for runs that were stored before.
ALTER TABLE runs ADD COLUMN version TEXT;
