package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.OTHER_SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.at;
import static dev.chargehand.testkit.store.memory.MemorySamples.found;
import static dev.chargehand.testkit.store.memory.MemorySamples.index;
import static dev.chargehand.testkit.store.memory.MemorySamples.passage;
import static dev.chargehand.testkit.store.memory.MemorySamples.query;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.VectorSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A search finds the nearest messages of one owner, exactly. */
public interface VectorSearchRules extends HasMemory {

    @Test
    default void theNearestMessagesComeBestFirst() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 3);
        say(store(), "u", ANN, 3);
        index(memory, ANN, "t", passage(0, 80), passage(1, 20), passage(2, 120));
        index(memory, ANN, "u", passage(0, 40), passage(1, 180), passage(2, 0));

        PassageHits all = memory.nearest(query(ANN));
        assertEquals(List.of("u 2", "t 1", "u 0", "t 0", "t 2", "u 1"), found(all));
        assertTrue(all.complete());
        PassageHits two = memory.nearest(new PassageQuery(ANN, SPACE, at(0), PassageQuery.Among.ALL, 2, -1));
        assertEquals(all.hits().subList(0, 2), two.hits());
        assertTrue(two.complete());
        assertEquals(
                List.of(),
                memory.nearest(new PassageQuery(ANN, SPACE, at(0), PassageQuery.Among.ALL, 0, -1))
                        .hits());
        assertEquals(
                "u 1",
                found(memory.nearest(new PassageQuery(ANN, SPACE, at(180), PassageQuery.Among.ALL, 2, -1)))
                        .getFirst());
    }

    @Test
    default void aScoreIsTheSimilarity() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        index(memory, ANN, "t", passage(0, 33));

        assertScore("t", 0, 33, memory.nearest(query(ANN)).hits().getFirst());
    }

    /** A vector may be stored in 8 bits for each dimension. */
    private static void assertScore(String thread, long position, int degrees, PassageHits.Hit hit) {
        assertEquals(new PassageHits.Hit(ANN, thread, position, hit.score()), hit);
        assertEquals(Math.cos(Math.toRadians(degrees)), hit.score(), 0.005);
    }

    @Test
    default void ofEquallyNearMessagesTheOneSaidLaterComesFirst() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 4, null, START.plusSeconds(100));
        say(store(), "u", ANN, 3);
        index(memory, ANN, "t", passage(3, 10), passage(2, 10));
        index(memory, ANN, "t", passage(0, 10), passage(1, 10));
        index(memory, ANN, "u", passage(0, 10), passage(1, 10), passage(2, 10));

        List<String> newestFirst = List.of("t 3", "t 2", "t 1", "t 0", "u 2", "u 1", "u 0");
        assertEquals(newestFirst, found(memory, ANN));
        assertEquals(
                newestFirst.subList(0, 5),
                found(memory.nearest(new PassageQuery(ANN, SPACE, at(0), PassageQuery.Among.ALL, 5, -1))));
    }

    @Test
    default void aMessageIsFoundOnceWithItsBestPassage() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        index(
                memory,
                ANN,
                "t",
                new Passage(0, 0, at(70)),
                new Passage(0, 1, at(10)),
                new Passage(0, 2, at(50)),
                new Passage(1, 0, at(30)),
                new Passage(1, 1, at(60)));

        List<PassageHits.Hit> hits = memory.nearest(query(ANN)).hits();
        assertEquals(2, hits.size());
        assertScore("t", 0, 10, hits.get(0));
        assertScore("t", 1, 30, hits.get(1));
        assertEquals(
                hits.subList(0, 1),
                memory.nearest(new PassageQuery(ANN, SPACE, at(0), PassageQuery.Among.ALL, 1, -1))
                        .hits());
    }

    @Test
    default void messagesThatAreLessSimilarThanTheThresholdAreNotFound() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 4);
        index(memory, ANN, "t", passage(0, 100), passage(1, 30), passage(2, 80), passage(3, 45));
        PassageHits.Hit second = memory.nearest(query(ANN)).hits().get(1);
        assertScore("t", 3, 45, second);
        double middle = second.score();

        assertEquals(List.of("t 1", "t 3"), aboveThreshold(middle));
        assertEquals(List.of("t 1"), aboveThreshold(Math.nextUp(middle)));
        assertEquals(List.of("t 1", "t 3", "t 2"), aboveThreshold(0));
    }

    private List<String> aboveThreshold(double threshold) {
        return found(memory().nearest(new PassageQuery(ANN, SPACE, at(0), PassageQuery.Among.ALL, 10, threshold)));
    }

    @Test
    default void aSearchOfOneThreadFindsNothingElse() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        say(store(), "u", ANN, 1);
        index(memory, ANN, "t", passage(0, 20), passage(1, 10));
        index(memory, ANN, "u", passage(0, 0));

        assertEquals(List.of("t 1", "t 0"), among("t", null, 0));
        assertEquals(List.of("u 0"), among("u", null, 0));
        assertEquals(List.of(), among("missing", null, 0));
    }

    @Test
    default void whatTheConversationHasIsLeftOut() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 4);
        say(store(), "u", ANN, 4);
        index(memory, ANN, "t", passage(0, 40), passage(1, 30), passage(2, 20), passage(3, 10));
        index(memory, ANN, "u", passage(3, 50));

        assertEquals(List.of("t 1", "t 0", "u 3"), among(null, "t", 2));
        assertEquals(List.of("u 3"), among(null, "t", 0));
        assertEquals(List.of("t 1", "t 0"), among("t", "t", 2));
        assertEquals(List.of("t 3", "t 2", "t 1", "t 0"), among("t", "u", 0));
        assertEquals(List.of("t 3", "t 2", "t 1", "t 0", "u 3"), among(null, "missing", 0));
    }

    private List<String> among(@Nullable String only, @Nullable String leftOut, long from) {
        return found(memory().nearest(query(ANN, new PassageQuery.Among(only, leftOut, from))));
    }

    @Test
    default void vectorsOfTwoSpacesAreNeverCompared() {
        MemoryStore memory = memory();
        VectorSpace larger = new VectorSpace(SPACE.model(), 3, SPACE.passageRule());
        VectorSpace otherModel = new VectorSpace("test", SPACE.dimensions(), SPACE.passageRule());
        say(store(), "t", ANN, 2);
        index(memory, ANN, "t", passage(0, 10));
        index(memory, ANN, "t", OTHER_SPACE, passage(0, 0), passage(1, 0));

        assertEquals(List.of("t 0"), found(memory, ANN));
        assertEquals(
                List.of(),
                memory.nearest(new PassageQuery(ANN, otherModel, at(0), PassageQuery.Among.ALL, 9, -1))
                        .hits());
        assertEquals(Optional.empty(), memory.indexed(ANN, "t", larger));
        assertEquals(0, memory.deleteVectors(ANN, larger));
        assertEquals(List.of("t 0"), found(memory, ANN));
    }

    @Test
    default void aSearchSaysWhenThereAreMorePassagesThanItLooksAt() {
        MemoryStore memory = memory();
        int messages = 10;
        int parts = PassageQuery.MOST_PASSAGES / messages;
        say(store(), "old", ANN, 1);
        say(store(), "t", ANN, messages, null, START.plusSeconds(100));
        for (int position = 0; position < messages; position++) {
            List<Passage> passages = new ArrayList<>();
            for (int part = 0; part < parts; part++) {
                passages.add(new Passage(position, part, at(90)));
            }
            assertTrue(memory.index(
                    ANN, "t", SPACE, memory.indexed(ANN, "t", SPACE), IndexedRange.of(0, position + 1), passages));
        }
        PassageHits before = memory.nearest(query(ANN));
        assertTrue(before.complete());
        assertEquals(messages, before.hits().size());

        index(memory, ANN, "old", passage(0, 0));

        PassageHits after = memory.nearest(query(ANN));
        assertFalse(after.complete());
        assertEquals(before.hits(), after.hits(), "only the oldest message was not looked at, though stored last");
        PassageHits leftOut = memory.nearest(query(ANN, new PassageQuery.Among(null, "t", 1)));
        assertTrue(leftOut.complete());
        assertEquals(List.of("old 0", "t 0"), found(leftOut));
        PassageHits old = memory.nearest(query(ANN, new PassageQuery.Among("old", null, 0)));
        assertTrue(old.complete());
        assertEquals(List.of("old 0"), found(old));
    }
}
