-- How many tokens models have used for memory after runs, for each day since 1970 in UTC. The scope is that of the resource, without
-- an agent. A name of a model is of any length, so what is once is a hash.
CREATE TABLE memory_usage (
    id        bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    scope     bigint NOT NULL REFERENCES memory_scopes (id),
    day       bigint NOT NULL,
    part      text COLLATE "C" NOT NULL,
    model     text COLLATE "C" NOT NULL,
    input     bigint NOT NULL,
    output    bigint NOT NULL,
    cached    bigint NOT NULL,
    reasoning bigint NOT NULL,
    CONSTRAINT usage_once EXCLUDE USING hash ((scope::text || ' ' || day::text || ' ' || part || ' ' || model) WITH =)
);
CREATE INDEX memory_usage_of_scopes ON memory_usage (scope, day);
CREATE INDEX memory_usage_of_days ON memory_usage (day);
