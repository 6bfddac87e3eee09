-- What gave a thread its title: FIRST_WORDS, MODEL or USER; NULL without a title. Titles of earlier versions are of applications.
ALTER TABLE threads ADD COLUMN title_source TEXT;
UPDATE threads SET title_source = 'USER' WHERE title IS NOT NULL;
