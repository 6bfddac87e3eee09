package dev.chargehand.tests.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** The memory in the stored stores: what each schema since the one of memory can hold, and what it is later. */
final class Memories {

    /** The schema since which a store has vectors, memory work and working memory. */
    static final int FIRST = 14;

    private static final int TITLES = 15;
    private static final int OBSERVATIONS = 17;
    private static final String THREAD = "remembered";
    private static final int MESSAGES = 4;
    private static final ThreadOwner ANN = new ThreadOwner("ann", null);
    private static final VectorSpace SPACE = new VectorSpace("test/model", 2, 1);
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.006Z");

    private Memories() {}

    static void write(Store store) {
        MemoryStore memory = store.memory().orElseThrow();
        List<ThreadEntry> entries = LongStream.range(0, MESSAGES)
                .mapToObj(
                        i -> new ThreadEntry("m" + i, "{\"role\":\"ASSISTANT\",\"n\":" + i + "}", i, AT.plusSeconds(i)))
                .toList();
        store.appendToThread(new ThreadAppend(THREAD, ANN, null, null, entries).memoryOf("talker"), AT);
        for (int i = 0; i < MESSAGES - 1; i++) {
            List<Passage> passages = List.of(new Passage(i, 0, at(20 * i)));
            IndexedRange next = IndexedRange.of(0, i + 1);
            require(memory.index(ANN, THREAD, SPACE, memory.indexed(ANN, THREAD, SPACE), next, passages));
        }
        for (int i = 0; i < 3; i++) {
            require(memory.edit(ANN, null, i, "key " + i, "Ann " + i, AT) instanceof WorkingMemoryEdit.Stored);
        }
        require(memory.edit(ANN, THREAD, 0, "key", "thread", AT) instanceof WorkingMemoryEdit.Stored);
        writeTitle(memory);
        writeObservations(memory);
    }

    private static void writeTitle(MemoryStore memory) {
        require(memory.title(ANN, THREAD, "What Ann said", TitleSource.MODEL));
        memory.moveHistory(ANN, THREAD, 1_000, 2);
    }

    private static void writeObservations(MemoryStore memory) {
        for (int i = 0; i < 3; i++) {
            NewObservation seen = new NewObservation(i, i + 1, List.of("m" + i), "Observation " + i, 3, AT);
            require(memory.observe(ANN, THREAD, seen).equals(OptionalLong.of(i + 1)));
        }
        require(memory.reflect(ANN, THREAD, new NewReflection(2, "Reflection", 4, AT))
                .isPresent());
    }

    private static void require(boolean stored) {
        if (!stored) {
            throw new IllegalStateException("It was not stored.");
        }
    }

    /** Compare the memory with what was written, and go on with it. */
    static void assertKept(Store store, int schema) {
        MemoryStore memory = store.memory().orElseThrow();
        assertThat(memory.nearest(new PassageQuery(ANN, SPACE, at(0), PassageQuery.Among.ALL, 10, -1))
                        .hits())
                .extracting(hit -> hit.threadId() + " " + hit.position())
                .containsExactly(THREAD + " 0", THREAD + " 1", THREAD + " 2");
        assertThat(memory.indexed(ANN, THREAD, SPACE)).contains(IndexedRange.of(0, MESSAGES - 1));
        assertThat(memory.workingMemory(ANN, null)).contains(new WorkingMemoryRevision(3, "Ann 2", AT));
        assertThat(memory.workingMemory(ANN, null, 1)).contains(new WorkingMemoryRevision(1, "Ann 0", AT));
        assertThat(memory.workingMemory(ANN, THREAD)).contains(new WorkingMemoryRevision(1, "thread", AT));
        assertThat(memory.due(0, 10)).extracting(DueThread::threadId).contains(THREAD);

        Optional<ThreadRecord> thread = store.findThread(THREAD);
        assertThat(thread.flatMap(ThreadRecord::title))
                .isEqualTo(schema < TITLES ? Optional.empty() : Optional.of("What Ann said"));
        assertThat(memory.historyFrom(ANN, THREAD, 1_000)).isEqualTo(schema < TITLES ? 0 : 2);

        if (schema < OBSERVATIONS) {
            assertThat(memory.observations(ANN, THREAD)).isEqualTo(ObservationLog.EMPTY);
            writeObservations(memory);
        }
        assertThat(memory.observations(ANN, THREAD).observations())
                .containsExactly(
                        new Observation(4, 0, 2, 2L, "Reflection", 4, AT),
                        new Observation(3, 2, 3, null, "Observation 2", 3, AT));

        goOn(memory);
    }

    private static void goOn(MemoryStore memory) {
        assertThat(memory.index(
                        ANN,
                        THREAD,
                        SPACE,
                        Optional.of(IndexedRange.of(0, MESSAGES - 1)),
                        IndexedRange.of(0, MESSAGES),
                        List.of(new Passage(MESSAGES - 1, 0, at(1)))))
                .isTrue();
        assertThat(memory.edit(ANN, null, 2, "late", "older", AT)).isInstanceOf(WorkingMemoryEdit.Conflict.class);
        assertThat(memory.edit(ANN, null, 3, "key 1", "again", AT)).isEqualTo(new WorkingMemoryEdit.Known(2));
        assertThat(memory.edit(ANN, null, 3, "key 3", "Ann 3", AT)).isEqualTo(new WorkingMemoryEdit.Stored(4));
        assertThat(memory.take(ANN, THREAD, "worker", Duration.ofHours(1))).isTrue();
        memory.giveBack(ANN, THREAD, "worker", MESSAGES, null);
        assertThat(memory.due(0, 10)).extracting(DueThread::threadId).doesNotContain(THREAD);
    }

    private static UnitVector at(int degrees) {
        double angle = Math.toRadians(degrees);
        return UnitVector.of(new float[] {(float) Math.cos(angle), (float) Math.sin(angle)})
                .orElseThrow();
    }
}
