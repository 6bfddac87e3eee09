-- The saved versions of agents. A document does not change.
CREATE TABLE agent_versions (
    tenant_id  text COLLATE "C" NOT NULL,
    agent_id   text COLLATE "C" NOT NULL,
    version    bigint           NOT NULL,
    document   text COLLATE "C" NOT NULL,
    created_at bigint           NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, version)
);

-- Which version of an agent is published, if one is, and the number of the one that was saved last: a number is not used again when its
-- version is deleted.
CREATE TABLE agent_published (
    tenant_id text COLLATE "C" NOT NULL,
    agent_id  text COLLATE "C" NOT NULL,
    version   bigint,
    last      bigint           NOT NULL,
    PRIMARY KEY (tenant_id, agent_id)
);

-- The version of the agent or workflow that a run executes; NULL for none, and for runs that were stored before.
ALTER TABLE runs ADD COLUMN version text COLLATE "C";
