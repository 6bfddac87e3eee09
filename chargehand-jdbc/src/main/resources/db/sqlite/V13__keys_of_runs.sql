-- The keys that a run goes with when it is deleted.
CREATE INDEX idempotency_by_run ON idempotency (tenant_id, run_id);
