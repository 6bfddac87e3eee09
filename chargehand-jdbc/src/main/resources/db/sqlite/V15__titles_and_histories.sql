-- What gave a thread its title: FIRST_WORDS, MODEL or USER; NULL without a title. Titles of earlier versions are of applications.
ALTER TABLE threads ADD COLUMN title_source TEXT;
UPDATE threads SET title_source = 'USER' WHERE title IS NOT NULL;

-- From which message on runs with a bound of tokens see their thread; see ADR 0080.
CREATE TABLE history_starts (
    thread INTEGER NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    tokens INTEGER NOT NULL,
    first  INTEGER NOT NULL,
    PRIMARY KEY (thread, tokens)
) STRICT;
