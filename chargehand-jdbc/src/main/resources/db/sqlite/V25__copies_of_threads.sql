-- Of a copy: the thread that it was copied from, NULL after the deletion of that, and how many messages it got from there; NULL for other
-- threads, and for copies that an earlier version made.
ALTER TABLE threads ADD COLUMN copy_of INTEGER REFERENCES threads (id) ON DELETE SET NULL;
ALTER TABLE threads ADD COLUMN copied_length INTEGER;

-- The copies of a thread, which its deletion looks for too.
CREATE INDEX copies_of_threads ON threads (copy_of) WHERE copy_of IS NOT NULL;
