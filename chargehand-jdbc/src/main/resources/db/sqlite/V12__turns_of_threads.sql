-- Which root run that is running took its thread last: the one with the greatest turn. The others lost it while nobody executed
-- them, and have to take it again. 0 is for a run that has not taken a thread, or is not running.
ALTER TABLE runs ADD COLUMN thread_turn INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET thread_turn = id WHERE status = 'RUNNING' AND root_run_id = run_id AND thread_id IS NOT NULL;

-- When a process released a run, and when an owner said that it is gone: their runs keep their threads for a while. 0 is for never.
ALTER TABLE runs ADD COLUMN released_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE owners ADD COLUMN ended_at INTEGER NOT NULL DEFAULT 0;
