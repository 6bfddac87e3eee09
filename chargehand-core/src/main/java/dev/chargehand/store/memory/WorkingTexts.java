package dev.chargehand.store.memory;

import dev.chargehand.annotation.Experimental;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The texts of one working memory, for a store that holds them in memory. Not thread-safe. */
@Experimental
public final class WorkingTexts {

    private final List<WorkingMemoryRevision> kept = new ArrayList<>();
    private final Map<String, Edit> edits = new HashMap<>();

    private record Edit(long revision, Instant at) {}

    /** Return whether nothing was ever noted. */
    public boolean isEmpty() {
        return kept.isEmpty();
    }

    /** Return the newest text. */
    public Optional<WorkingMemoryRevision> newest() {
        return kept.isEmpty() ? Optional.empty() : Optional.of(kept.getLast());
    }

    /** Return the text of a revision, if it is kept. */
    public Optional<WorkingMemoryRevision> revision(long number) {
        return kept.stream().filter(text -> text.revision() == number).findFirst();
    }

    /** Store the next revision, as {@link MemoryStore#edit} does. */
    public WorkingMemoryEdit edit(long expected, String key, String text, Instant at) {
        Edit known = edits.get(key);
        if (known != null) {
            return new WorkingMemoryEdit.Known(known.revision());
        }
        long newest = newest().map(WorkingMemoryRevision::revision).orElse(0L);
        if (newest != expected) {
            return new WorkingMemoryEdit.Conflict(newest);
        }
        kept.add(new WorkingMemoryRevision(newest + 1, text, at));
        edits.put(key, new Edit(newest + 1, at));
        if (kept.size() > WorkingMemoryRevision.KEPT) {
            kept.removeFirst();
        }
        return new WorkingMemoryEdit.Stored(newest + 1);
    }

    /** Add all that another one has to this, which is empty. */
    public void copy(WorkingTexts other) {
        copy(other, Long.MAX_VALUE);
    }

    /** Add what another one has up to a revision to this, which is empty, if the text of that one is kept. */
    public void copy(WorkingTexts other, long upTo) {
        other.newest()
                .map(newest -> Math.min(newest.revision(), upTo))
                .filter(last -> other.revision(last).isPresent())
                .ifPresent(last -> {
                    other.kept.stream().filter(text -> text.revision() <= last).forEach(kept::add);
                    other.edits.forEach((key, edit) -> {
                        if (edit.revision() <= last) {
                            edits.put(key, edit);
                        }
                    });
                });
    }

    /** Delete keys, as {@link dev.chargehand.store.deletion.Deletion.OldEditKeys} says; returns how many. */
    public int deleteKeys(Instant before, int limit) {
        long oldest = kept.isEmpty() ? 0 : kept.getFirst().revision();
        List<String> old = edits.entrySet().stream()
                .filter(edit -> edit.getKey().startsWith("/")
                        && edit.getValue().revision() < oldest
                        && edit.getValue().at().isBefore(before))
                .map(Map.Entry::getKey)
                .limit(Math.max(0, limit))
                .toList();
        old.forEach(edits::remove);
        return old.size();
    }
}
