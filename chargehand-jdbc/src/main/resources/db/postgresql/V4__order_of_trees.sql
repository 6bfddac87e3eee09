-- The place of a fact in the order in which the facts of its tree of runs were stored, from 1. Facts from before have none.
ALTER TABLE facts ADD COLUMN tree_position bigint;

-- Of a root run: the tree position of the last fact of its tree.
ALTER TABLE runs ADD COLUMN tree_length bigint NOT NULL DEFAULT 0;
