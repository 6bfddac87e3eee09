package dev.chargehand.internal.memory;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.error.StoreException;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes a working memory: an edit is made in the newest text, and again if others have changed that meanwhile.
 *
 * @param threadId the thread whose text it is, or null for that of all threads of the owner
 * @param beginning the text before the first edit
 */
public record WorkingMemoryTexts(
        MemoryStore store, ThreadOwner owner, @Nullable String threadId, String beginning, TimeSource time) {

    private static final int TRIES = 5;

    /** A revision that is never the newest: nothing is stored after it. */
    private static final long NEVER = -1;

    /**
     * Change the text. An edit that was made before under its key is made, even if it would be
     * too long now, or does not fit what it made itself.
     *
     * @param edit may throw
     * @param by the run that edits, or null for the application
     * @return the revision that the edit made, now or before
     * @throws ConfigurationException if the text would be too long
     * @throws MemoryException {@code CONFLICT} if others changed it again and again
     * @throws StoreException {@code FENCED} if the run has ended
     */
    public WorkingMemoryRevision changed(UnaryOperator<String> edit, String key, @Nullable RunId by) {
        try {
            return edited(edit, key, by);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            return made(key).orElseThrow(() -> e);
        }
    }

    private WorkingMemoryRevision edited(UnaryOperator<String> edit, String key, @Nullable RunId by) {
        for (int tries = 0; tries < TRIES; tries++) {
            Optional<WorkingMemoryRevision> newest = store.workingMemory(owner, threadId);
            String text =
                    bounded(edit.apply(newest.map(WorkingMemoryRevision::text).orElse(beginning)));
            Instant now = time.now();
            long expected = newest.map(WorkingMemoryRevision::revision).orElse(0L);
            switch (store.edit(owner, threadId, expected, key, text, now, by)) {
                case WorkingMemoryEdit.Stored stored -> {
                    return new WorkingMemoryRevision(stored.revision(), text, now);
                }
                case WorkingMemoryEdit.Known known -> {
                    return revision(known);
                }
                case WorkingMemoryEdit.Conflict ignored -> {} // the edit is made in the text of the other
            }
        }
        throw new MemoryException(
                MemoryException.Kind.CONFLICT,
                "The working memory was changed by others at the same time, " + TRIES + " times in a row; try again.");
    }

    /** Return the revision that an edit made before, if it did. */
    private Optional<WorkingMemoryRevision> made(String key) {
        return store.edit(owner, threadId, NEVER, key, "", time.now()) instanceof WorkingMemoryEdit.Known known
                ? Optional.of(revision(known))
                : Optional.empty();
    }

    private WorkingMemoryRevision revision(WorkingMemoryEdit.Known known) {
        return store.workingMemory(owner, threadId, known.revision())
                .orElseGet(() -> new WorkingMemoryRevision(known.revision(), "", time.now()));
    }

    private static String bounded(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > WorkingMemory.MOST_BYTES) {
            throw new ConfigurationException("The working memory would have " + bytes + " bytes, and at most "
                    + WorkingMemory.MOST_BYTES + " are allowed. Remove what is not needed any more.");
        }
        return text;
    }
}
