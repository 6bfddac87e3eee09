-- What models wrote about messages of a thread: those from low to the one before high. A reflection, of which replaces is not NULL,
-- stands for all rows up to that number. A deleted row has no text, and keeps its number.
CREATE TABLE observations (
    thread     bigint NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    number     bigint NOT NULL,
    low        bigint NOT NULL,
    high       bigint NOT NULL,
    replaces   bigint,
    text       text COLLATE "C",
    tokens     bigint NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (thread, number)
);
