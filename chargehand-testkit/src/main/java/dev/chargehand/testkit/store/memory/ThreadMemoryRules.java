package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What is kept with a thread besides its messages: the title that a model gives, and where its history starts. */
interface ThreadMemoryRules extends HasMemory {

    private void assertTitle(String title, TitleSource source) {
        ThreadRecord found = store().findThread("t").orElseThrow();
        assertEquals(Optional.of(title), found.title());
        assertEquals(Optional.of(source), found.titleSource());
    }

    @Test
    default void theThreadsOfAnOwnerAreListedInPages() {
        MemoryStore memory = memory();
        ThreadOwner writer = new ThreadOwner("ann", "boss/writer");
        ThreadOwner missing = new ThreadOwner(null, null);
        for (String thread : List.of("c", "a", "b")) {
            say(store(), thread, ANN, 1);
            say(store(), "w" + thread, writer, 1);
            say(store(), "m" + thread, missing, 1);
        }
        say(store(), "d", BOB, 1);
        say(store().forTenant("acme"), "e", ANN, 1);

        assertEquals(List.of("a", "b"), memory.threads(ANN, "", 2));
        assertEquals(List.of("c"), memory.threads(ANN, "b", 2));
        assertEquals(List.of(), memory.threads(ANN, "c", 2));
        assertEquals(List.of(), memory.threads(ANN, "", 0));
        assertEquals(List.of("wa", "wb", "wc"), memory.threads(writer, "", 9));
        assertEquals(List.of("ma", "mb", "mc"), memory.threads(missing, "", 9));
    }

    @Test
    default void aTitleOfAModelReplacesFirstWordsOnce() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);

        assertTrue(memory.title(ANN, "t", "Words", TitleSource.FIRST_WORDS));
        assertFalse(memory.title(ANN, "t", "Others", TitleSource.FIRST_WORDS));
        assertTitle("Words", TitleSource.FIRST_WORDS);
        assertTrue(memory.title(ANN, "t", "Title \u00e9 \u0000", TitleSource.MODEL));
        assertFalse(memory.title(ANN, "t", "Another", TitleSource.MODEL));
        assertFalse(memory.title(ANN, "t", "Words", TitleSource.FIRST_WORDS));

        assertTitle("Title \u00e9 \u0000", TitleSource.MODEL);
        assertEquals(START, store().findThread("t").orElseThrow().updatedAt());
    }

    @Test
    default void aTitleOfTheApplicationStays() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        ThreadRecord mine = store().changeThread("t", ANN, new ThreadChange().title("Mine"), START);

        assertFalse(memory.title(ANN, "t", "Title", TitleSource.MODEL));
        assertEquals(Optional.of(mine), store().findThread("t"));
        ThreadRecord bare = store().changeThread("t", ANN, new ThreadChange().title(null), START);
        assertTrue(bare.title().isEmpty());
        assertTrue(memory.title(ANN, "t", "Title", TitleSource.MODEL));
        assertTitle("Title", TitleSource.MODEL);
        ThreadRecord again = store().changeThread("t", ANN, new ThreadChange().title("Again"), START);
        assertEquals(Optional.of(TitleSource.USER), again.titleSource());
    }

    @Test
    default void aThreadOfAnotherOwnerIsNotTitled() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);

        assertThrows(ThreadOwnershipException.class, () -> memory.title(BOB, "t", "x", TitleSource.MODEL));
        assertThrows(ThreadOwnershipException.class, () -> memory.historyFrom(BOB, "t", 10));
        assertThrows(ThreadOwnershipException.class, () -> memory.moveHistory(BOB, "t", 10, 1));
        assertFalse(memory.title(BOB, "missing", "x", TitleSource.MODEL));
        assertEquals(0, memory.historyFrom(BOB, "missing", 10));
        memory.moveHistory(BOB, "missing", 10, 1);
        assertEquals(Optional.empty(), store().findThread("missing"));
    }

    @Test
    default void aThreadIsDueForATitleOnlyIfThatWouldStay() {
        MemoryStore memory = memory();
        say(store(), "bare", ANN, 1);
        say(store(), "words", ANN, 1);
        say(store(), "model", ANN, 1);
        say(store(), "mine", ANN, 1);
        assertTrue(memory.title(ANN, "model", "Title", TitleSource.MODEL));
        ThreadRecord mine = store().changeThread("mine", ANN, new ThreadChange().title("Mine"), START);
        assertEquals(Optional.of(TitleSource.USER), mine.titleSource());

        for (String thread : List.of("bare", "words", "model", "mine")) {
            ThreadAppend ended = new ThreadAppend(thread, ANN, null, null, List.of()).titleOf("boss");
            ThreadRecord ignored = store().appendToThread(thread.equals("words") ? ended.title("Words") : ended, START);
        }

        assertEquals(
                List.of("bare", "words"),
                memory.due(0, 9).stream().map(DueThread::threadId).toList());
        assertEquals("boss", memory.due(0, 9).getFirst().agentPath());
        ThreadRecord both =
                store().appendToThread(new ThreadAppend("mine", ANN, null, null, List.of()).memoryOf("boss"), START);
        assertEquals(Optional.of("Mine"), both.title());
        assertEquals(3, memory.due(0, 9).size());
    }

    @Test
    default void ofATitleOfTheApplicationAndOneOfAModelTheFirstStays() throws Exception {
        MemoryStore memory = memory();
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 30; i++) {
                String thread = "t" + i;
                say(store(), thread, ANN, 1);
                CyclicBarrier start = new CyclicBarrier(2);
                Future<Boolean> model = two.submit(() -> {
                    int ignored = start.await();
                    return memory.title(ANN, thread, "Model", TitleSource.MODEL);
                });
                Future<ThreadRecord> user = two.submit(() -> {
                    int ignored = start.await();
                    return store().changeThread(thread, ANN, new ThreadChange().title("Mine"), START);
                });
                boolean ignored = model.get();

                assertEquals(Optional.of("Mine"), user.get().title());
                assertEquals(
                        Optional.of("Mine"),
                        store().findThread(thread).orElseThrow().title());
            }
        }
    }

    @Test
    default void theStartOfAHistoryMovesForwardOnly() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);

        assertEquals(0, memory.historyFrom(ANN, "t", 100));
        memory.moveHistory(ANN, "t", 100, 5);
        memory.moveHistory(ANN, "t", 100, 3);
        memory.moveHistory(ANN, "t", 200, 2);

        assertEquals(5, memory.historyFrom(ANN, "t", 100));
        assertEquals(2, memory.historyFrom(ANN, "t", 200));
        memory.moveHistory(ANN, "t", 100, 7);
        assertEquals(7, memory.historyFrom(ANN, "t", 100));
    }

    @Test
    default void theStartOfAHistoryGoesWithItsThread() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 9);
        memory.moveHistory(ANN, "t", 100, 5);

        assertTrue(store().copyThread(
                        "t", 9, ThreadRecord.builder("copy", ANN, START).build()));
        assertEquals(0, memory.historyFrom(ANN, "copy", 100));
        assertTrue(store().deleteThread("t", ANN));
        say(store(), "t", ANN, 1);

        assertEquals(0, memory.historyFrom(ANN, "t", 100));
        memory.moveHistory(ANN, "t", 100, 5);
        assertEquals(0, memory.historyFrom(ANN, "t", 100), "it was moved late, for the thread that was deleted");
        memory.moveHistory(ANN, "t", 100, 1);
        assertEquals(1, memory.historyFrom(ANN, "t", 100));
    }
}
