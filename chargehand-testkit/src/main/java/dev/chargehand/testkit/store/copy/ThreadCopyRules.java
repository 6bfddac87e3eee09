package dev.chargehand.testkit.store.copy;

import static dev.chargehand.testkit.store.copy.CopySamples.ANN;
import static dev.chargehand.testkit.store.copy.CopySamples.BOB;
import static dev.chargehand.testkit.store.copy.CopySamples.START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.ThreadRecord.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a store knows of the copies of a thread. */
public interface ThreadCopyRules {

    /** Return the store that the running test is about. */
    Store store();

    private static ThreadRecord say(Store store, String thread, ThreadOwner owner, int messages) {
        List<ThreadEntry> entries = IntStream.range(0, messages)
                .mapToObj(i -> new ThreadEntry("m" + i, "\"text " + i + "\""))
                .toList();
        return store.appendToThread(new ThreadAppend(thread, owner, null, null, entries), START);
    }

    private static ThreadRecord fresh(String thread, ThreadOwner owner) {
        return ThreadRecord.builder(thread, owner, START).build();
    }

    private ThreadRecord thread(String id) {
        return store().findThread(id).orElseThrow();
    }

    private static List<String> copies(Store store, ThreadOwner owner, String of) {
        return store.listThreads(new ThreadRecord.Filter(owner, of, 0, 100)).stream()
                .map(ThreadRecord::threadId)
                .toList();
    }

    private static List<String> messages(Store store, String thread, ThreadOwner owner) {
        return store.readThread(thread, owner, Long.MAX_VALUE, 100).stream()
                .map(ThreadEntry::messageId)
                .toList();
    }

    @Test
    default void aCopyNamesItsSourceAndHowManyMessagesItGot() {
        ThreadRecord source = say(store(), "t", ANN, 3);
        assertEquals(Optional.empty(), source.source());
        assertEquals(OptionalLong.empty(), source.copiedLength());

        assertTrue(store().copyThread("t", 2, fresh("part", ANN)));
        assertTrue(store().copyThread("t", Long.MAX_VALUE, fresh("whole", ANN)));
        assertTrue(store().copyThread("t", 0, fresh("empty", ANN)));

        assertEquals(fresh("part", ANN).copiedFrom(source, 2), thread("part"));
        assertEquals(Optional.of(new Source("t", ANN)), thread("whole").source());
        assertEquals(OptionalLong.of(3), thread("whole").copiedLength());
        assertEquals(OptionalLong.of(0), thread("empty").copiedLength());
        assertEquals(source, thread("t"));
    }

    @Test
    default void theRecordOfACopyKeepsItsSourceWhenItChanges() {
        ThreadRecord source = say(store(), "t", ANN, 2);
        assertTrue(store().copyThread("t", 1, fresh("copy", ANN)));
        Instant later = START.plusSeconds(1);

        ThreadRecord changed = store().changeThread("copy", ANN, new ThreadChange().title("Mine"), later);
        assertEquals(Optional.of(new Source("t", ANN)), changed.source());
        ThreadRecord longer = store().appendToThread(
                        new ThreadAppend("copy", ANN, null, null, List.of(new ThreadEntry("n", "\"n\""))), later);

        assertEquals(2, longer.length());
        assertEquals(OptionalLong.of(1), longer.copiedLength());
        assertEquals(
                fresh("copy", ANN)
                        .copiedFrom(source, 1)
                        .changed(new ThreadChange().title("Mine"), later)
                        .lengthened(2, later),
                thread("copy"));
        assertEquals(List.of(longer, source), store().listThreads("ann", 0, 9));
    }

    @Test
    default void theCopiesOfAThreadAreListedInPages() {
        ThreadRecord source = say(store(), "t", ANN, 2);
        say(store(), "u", ANN, 1);
        for (String copy : List.of("a", "b", "c")) {
            assertTrue(store().copyThread("t", 1, fresh(copy, ANN)));
        }
        assertTrue(store().copyThread("u", 1, fresh("of u", ANN)));
        assertTrue(store().copyThread("a", 1, fresh("of a", ANN)));
        ThreadRecord b = store().changeThread("b", ANN, new ThreadChange().title("B"), START.plusSeconds(1));

        assertEquals(List.of("b", "c", "a"), copies(store(), ANN, "t"));
        assertEquals(List.of(b), store().listThreads(new ThreadRecord.Filter(ANN, "t", 0, 1)));
        assertEquals(
                List.of(fresh("a", ANN).copiedFrom(source, 1)),
                store().listThreads(new ThreadRecord.Filter(ANN, "t", 2, 9)));
        assertEquals(List.of(), store().listThreads(new ThreadRecord.Filter(ANN, "t", 0, 0)));
        assertEquals(List.of("of a"), copies(store(), ANN, "a"));
        assertEquals(List.of(), copies(store(), ANN, "of a"));
        assertEquals(List.of(), copies(store(), ANN, "missing"));
        assertEquals(7, store().listThreads("ann", 0, 9).size());
    }

    @Test
    default void aCopyMayBelongToAnotherOwner() {
        say(store(), "t", ANN, 2);

        assertTrue(store().copyThread(new Source("t", ANN), 1, fresh("copy", BOB)));

        assertEquals(Optional.of(new Source("t", ANN)), thread("copy").source());
        assertEquals(BOB, thread("copy").owner());
        assertEquals(List.of("m0"), messages(store(), "copy", BOB));
        assertThrows(ThreadOwnershipException.class, () -> messages(store(), "copy", ANN));
        assertEquals(List.of(), copies(store(), ANN, "t"), "the copies of one owner");
        assertEquals(List.of("copy"), copies(store(), BOB, "t"));
        assertEquals(1, store().listThreads("ann", 0, 9).size());
        assertThrows(
                ThreadOwnershipException.class, () -> store().copyThread(new Source("t", BOB), 1, fresh("other", BOB)));
        assertEquals(Optional.empty(), store().findThread("other"));
    }

    @Test
    default void threadsOfAgentsAndWithoutAResourceHaveCopiesToo() {
        for (ThreadOwner owner : List.of(
                ThreadOwner.of(null), new ThreadOwner("ann", "boss/clerk"), new ThreadOwner(null, "boss/clerk"))) {
            String id = "t " + owner;
            say(store(), id, owner, 1);
            assertTrue(store().copyThread(id, 1, fresh("copy of " + id, owner)));

            assertEquals(List.of("copy of " + id), copies(store(), owner, id));
            assertEquals(
                    Optional.of(new Source(id, owner)), thread("copy of " + id).source());
        }
        assertEquals(List.of(), store().listThreads("ann", 0, 9));
    }

    @Test
    default void aCopyOutlivesItsSourceAndNamesNoOtherThreadOfThatId() {
        say(store(), "t", ANN, 3);
        assertTrue(store().copyThread("t", 2, fresh("a", ANN)));
        assertTrue(store().copyThread("a", 2, fresh("b", ANN)));
        assertTrue(store().copyThread("t", 2, fresh("c", ANN)));
        assertTrue(store().deleteThread("c", ANN));
        assertEquals(List.of("a"), copies(store(), ANN, "t"));

        assertTrue(store().deleteThread("t", ANN));
        assertEquals(Optional.empty(), thread("a").source());
        assertEquals(OptionalLong.of(2), thread("a").copiedLength());
        assertEquals(Optional.of(new Source("a", ANN)), thread("b").source());
        assertEquals(List.of("m0", "m1"), messages(store(), "a", ANN));

        say(store(), "t", ANN, 1);
        assertEquals(Optional.empty(), thread("a").source());
        assertEquals(List.of(), copies(store(), ANN, "t"));
        assertTrue(store().copyThread("t", 1, fresh("d", ANN)));
        assertEquals(List.of("d"), copies(store(), ANN, "t"));
    }

    @Test
    default void copiesForOthersStayWhenAResourceIsForgotten() {
        say(store(), "t", ANN, 2);
        assertTrue(store().copyThread("t", 2, fresh("anns", ANN)));
        assertTrue(store().copyThread(new Source("t", ANN), 2, fresh("bobs", BOB)));

        assertEquals(2, store().delete(new Deletion.ThreadsOfResource("ann", 10)));

        assertEquals(List.of(thread("bobs")), store().listThreads("bob", 0, 9));
        assertEquals(Optional.empty(), thread("bobs").source());
        assertEquals(List.of("m0", "m1"), messages(store(), "bobs", BOB));
    }

    @Test
    default void aCopyKeepsAMessageThatIsDeletedInItsSource() {
        say(store(), "t", ANN, 2);
        assertTrue(store().copyThread("t", 2, fresh("before", ANN)));
        assertEquals(1, store().delete(new Deletion.MessagesOfThread("t", ANN, Set.of("m0"), Set.of())));
        assertTrue(store().copyThread("t", 2, fresh("after", ANN)));

        assertEquals(List.of("m0", "m1"), messages(store(), "before", ANN));
        assertEquals(List.of("m1"), messages(store(), "after", ANN));
        assertEquals(OptionalLong.of(2), thread("after").copiedLength());
    }

    @Test
    default void copiesOfTwoTenantsAreApart() {
        Store acme = store().forTenant("acme");
        say(store(), "t", ANN, 1);
        say(acme, "t", ANN, 2);
        assertTrue(store().copyThread("t", 9, fresh("copy", ANN)));
        assertTrue(acme.copyThread("t", 9, fresh("theirs", ANN)));

        assertEquals(List.of("copy"), copies(store(), ANN, "t"));
        assertEquals(List.of("theirs"), copies(acme, ANN, "t"));
        assertTrue(acme.deleteThread("t", ANN));
        assertEquals(Optional.of(new Source("t", ANN)), thread("copy").source());
        assertEquals(Optional.empty(), acme.findThread("theirs").orElseThrow().source());
    }

    @Test
    default void aThreadIsCopiedAndDeletedAtOnce() throws Exception {
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 5; round++) {
                String thread = "t" + round;
                say(store(), thread, ANN, 20);
                CyclicBarrier together = new CyclicBarrier(4);
                List<Future<Boolean>> made = new ArrayList<>();
                for (ThreadOwner owner : List.of(ANN, BOB, ANN)) {
                    ThreadRecord copy = fresh(thread + " copy " + made.size(), owner);
                    made.add(all.submit(() -> {
                        int ignored = together.await();
                        return copied(() -> store().copyThread(new Source(thread, ANN), 15, copy));
                    }));
                }
                Future<Boolean> deleted = all.submit(() -> {
                    int ignored = together.await();
                    return store().deleteThread(thread, ANN);
                });

                assertTrue(deleted.get());
                for (int i = 0; i < made.size(); i++) {
                    Optional<ThreadRecord> copy = store().findThread(thread + " copy " + i);
                    assertEquals(made.get(i).get(), copy.isPresent());
                    copy.ifPresent(each -> {
                        assertEquals(Optional.empty(), each.source());
                        assertEquals(OptionalLong.of(15), each.copiedLength());
                        assertEquals(
                                15,
                                messages(store(), each.threadId(), each.owner()).size());
                    });
                }
                assertFalse(store().findThread(thread).isPresent());
            }
        }
    }

    private static boolean copied(Callable<Boolean> copy) throws Exception {
        try {
            return copy.call();
        } catch (StoreException e) {
            assertEquals(StoreException.Kind.NOT_FOUND, e.kind());
            return false;
        }
    }
}
