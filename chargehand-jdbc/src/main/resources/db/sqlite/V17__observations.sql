-- What models wrote about messages of a thread: those from low to the one before high. A reflection, of which replaces is not NULL,
-- stands for all rows up to that number. A deleted row has no text, and keeps its number.
CREATE TABLE observations (
    thread     INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    low        INTEGER NOT NULL,
    high       INTEGER NOT NULL,
    replaces   INTEGER,
    text       TEXT,
    tokens     INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (thread, number)
) STRICT;
