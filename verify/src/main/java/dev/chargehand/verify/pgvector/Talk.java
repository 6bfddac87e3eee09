package dev.chargehand.verify.pgvector;

import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A thread of random messages with vectors.
 *
 * @param number greater than those of threads that were made before
 * @param second the moment of its first message, in seconds since 1970; the others follow a second apart
 */
record Talk(String id, ThreadOwner owner, int number, long second, List<Said> messages) {

    /** Make one with messages that have these passages. */
    static Talk of(ThreadOwner owner, int number, long second, List<List<UnitVector>> passages) {
        Talk talk = new Talk("t" + number, owner, number, second, new ArrayList<>());
        for (int position = 0; position < passages.size(); position++) {
            talk.messages.add(new Said(talk, position, passages.get(position)));
        }
        return talk;
    }

    /** Store it with its vectors. */
    void store(Store store, VectorSpace space) {
        List<ThreadEntry> entries = new ArrayList<>();
        List<Passage> passages = new ArrayList<>();
        for (Said said : messages) {
            entries.add(new ThreadEntry(
                    "m" + said.position(),
                    "\"text\"",
                    said.position(),
                    Instant.ofEpochSecond(second + said.position())));
            for (int part = 0; part < said.passages().size(); part++) {
                passages.add(new Passage(said.position(), part, said.passages().get(part)));
            }
        }
        var ignored =
                store.appendToThread(new ThreadAppend(id, owner, null, null, entries), Instant.ofEpochSecond(second));
        MemoryStore memory = store.memory().orElseThrow();
        if (!memory.index(owner, id, space, Optional.empty(), IndexedRange.of(0, messages.size()), passages)) {
            throw new IllegalStateException("The vectors of a new thread were not stored.");
        }
    }
}
