-- The runs that wait for a process, in their order on each thread.
CREATE INDEX runs_pending ON runs (left(thread_id, 500), id) WHERE status = 'PENDING';
