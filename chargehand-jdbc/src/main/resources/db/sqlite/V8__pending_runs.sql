-- The runs that wait for a process, in their order on each thread.
CREATE INDEX runs_pending ON runs (thread_id, id) WHERE status = 'PENDING';
