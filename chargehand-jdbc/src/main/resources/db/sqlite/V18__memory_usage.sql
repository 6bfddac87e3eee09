-- How many tokens models have used for memory after runs, for each day since 1970 in UTC. The scope is that of the resource, without
-- an agent.
CREATE TABLE memory_usage (
    id        INTEGER PRIMARY KEY,
    scope     INTEGER NOT NULL REFERENCES memory_scopes (id),
    day       INTEGER NOT NULL,
    part      TEXT    NOT NULL,
    model     TEXT    NOT NULL,
    input     INTEGER NOT NULL,
    output    INTEGER NOT NULL,
    cached    INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,
    UNIQUE (scope, day, part, model)
) STRICT;
CREATE INDEX memory_usage_of_days ON memory_usage (day);
