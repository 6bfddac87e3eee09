-- What a list of waiting calls shows of each: since when it waits, the resource of its root run, and its description, as JSON.
ALTER TABLE waiting ADD COLUMN since bigint NOT NULL DEFAULT 0;
ALTER TABLE waiting ADD COLUMN resource_id text COLLATE "C";
ALTER TABLE waiting ADD COLUMN description text COLLATE "C";
UPDATE waiting SET resource_id = (SELECT root.resource_id FROM runs JOIN runs root ON root.run_id = runs.root_run_id
    WHERE runs.id = waiting.run);

-- The calls that wait for an answer, the one that waits longest first: of a tenant, and of each of its resources.
CREATE INDEX waiting_longest ON waiting (tenant_id, since) WHERE answered = 0 AND kind <> 'TIMER';
CREATE INDEX waiting_longest_of_resources ON waiting (tenant_id, left(resource_id, 500), since)
    WHERE answered = 0 AND kind <> 'TIMER' AND resource_id IS NOT NULL;

-- The descriptions are in the facts: the next program that is started on the store derives them for the runs that it finds outdated.
UPDATE runs SET indexed = 0 WHERE id IN (SELECT run FROM waiting WHERE answered = 0 AND kind <> 'TIMER');
