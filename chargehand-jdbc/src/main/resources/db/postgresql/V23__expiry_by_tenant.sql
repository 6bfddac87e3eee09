-- To whom a waiting call belongs: that of its run.
ALTER TABLE waiting ADD COLUMN tenant_id text COLLATE "C" NOT NULL DEFAULT 'local';
UPDATE waiting SET tenant_id = (SELECT tenant_id FROM runs WHERE runs.id = waiting.run);

-- The calls that wait, the first to expire first: of all tenants, and of each. The conditions are the same in other words, so that a
-- database cannot read the calls of a tenant by the index of all, and go through those of the others.
DROP INDEX waiting_to_expire;
CREATE INDEX waiting_to_expire ON waiting (expires_at, run) WHERE answered = 0;
CREATE INDEX waiting_of_tenants ON waiting (tenant_id, expires_at, run) WHERE answered < 1;
