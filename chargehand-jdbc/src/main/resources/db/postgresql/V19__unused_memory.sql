-- To delete what memory does not need any more.
--
-- The ranges of messages that have their vectors in a space. The used_at of a space, which is the time within a day when its vectors
-- were stored or searched last, is the least number that there is when it has none any more.
CREATE INDEX memory_cursors_of_spaces ON memory_cursors (space, thread);

-- The keys of edits by applications whose texts are not kept: such a key begins with a slash.
CREATE INDEX working_memory_keys ON working_memory (created_at)
    WHERE text IS NULL AND edit_key >= '/' AND edit_key < '0';
