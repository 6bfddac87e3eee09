package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.ALREADY_READ;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.ids;
import static dev.chargehand.testkit.store.Samples.message;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.said;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.testkit.store.Samples.HasStore;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How conversations are kept, and who gets to see them. */
interface ThreadRules extends HasStore {

    @Test
    default void messagesAreReadInTheOrderOfWriting() {
        say(store(), "r1", toThread("t", ANN, "z", "a"));
        say(store(), "r2", toThread("t", ANN, "m"));

        assertEquals(
                List.of(message("z"), message("a"), message("m")),
                said(store().readThread("t", ANN, Long.MAX_VALUE, 100)));
    }

    @Test
    default void theLastMessagesBeforeAPositionAreRead() {
        say(store(), "r", toThread("t", ANN, "m0", "m1", "m2", "m3", "m4"));

        assertEquals(List.of("m3", "m4"), ids(store().readThread("t", ANN, Long.MAX_VALUE, 2)));
        assertEquals(List.of("m1", "m2"), ids(store().readThread("t", ANN, 3, 2)));
        assertEquals(List.of("m0"), ids(store().readThread("t", ANN, 1, 2)));
        assertEquals(List.of(), ids(store().readThread("t", ANN, 0, 2)));
        assertEquals(List.of(), ids(store().readThread("t", ANN, Long.MAX_VALUE, 0)));
        assertEquals(5, store().readThread("t", ANN, 5, Integer.MAX_VALUE).size());
    }

    @Test
    default void aMessageIdIsStoredOnce() {
        say(store(), "r1", toThread("t", ANN, "m0", "m1"));
        ThreadEntry other = new ThreadEntry("m1", "{\"another\":\"text\"}");
        say(store(), "r2", new ThreadAppend("t", ANN, null, null, List.of(other, message("m2"), message("m2"))));

        assertEquals(
                List.of(message("m0"), message("m1"), message("m2")),
                said(store().readThread("t", ANN, Long.MAX_VALUE, 100)));
        assertEquals(List.of(message("m2")), said(store().readThread("t", ANN, Long.MAX_VALUE, 1)));
        assertEquals(List.of(message("m0"), message("m1")), said(store().readThread("t", ANN, 2, 100)));
        assertEquals(3, store().findThread("t").orElseThrow().length());
    }

    @Test
    default void aRunWhoseFirstMessageWouldGetAnotherPlaceThanItMustIsRejected() {
        say(store(), "r", toThread("t", ANN, "m0"));
        ThreadEntry first = message("m1");
        assertRefused(ALREADY_READ, () -> say(store(), "early", at(first, 0)));
        assertRefused(ALREADY_READ, () -> say(store(), "late", at(first, 2)));
        assertEquals(List.of(), store().read(id("early"), 0));

        say(store(), "next", at(first, 1));

        assertEquals(List.of("m0", "m1"), messageIds(store(), "t", ANN));
    }

    private static ThreadAppend at(ThreadEntry message, long place) {
        return new ThreadAppend("t", ANN, null, null, List.of(message.placed(place, null)));
    }

    @Test
    default void aMessageIdMayBeInSeveralThreads() {
        say(store(), "r", toThread("t", ANN, "m"), toThread("u", ANN, "m"));

        assertEquals(List.of("m"), messageIds(store(), "t", ANN));
        assertEquals(List.of("m"), messageIds(store(), "u", ANN));
    }

    @Test
    default void aNewThreadHasOneOwnerAlsoWithinOneAppend() {
        assertThrows(
                ThreadOwnershipException.class,
                () -> say(store(), "r", toThread("t", ANN, "m0"), toThread("t", BOB, "m1")));

        assertEquals(Optional.empty(), store().find(id("r")));
        assertEquals(Optional.empty(), store().findThread("t"));
    }

    @Test
    default void aThreadIsDescribedByItsFirstAppend() {
        ThreadOwner writer = new ThreadOwner("ann", "boss/writer");
        store().append(with(
                start("r", facts(1)), new ThreadAppend("t", writer, "r", "call-1", List.of(message("m0")))));
        store().append(with(
                start(root("s", START.plusSeconds(1)), facts(1)),
                new ThreadAppend("t", writer, "s", "call-2", List.of(message("m1")))));

        assertEquals(
                Optional.of(ThreadRecord.builder("t", writer, START)
                        .parent("r", "call-1")
                        .length(2)
                        .updatedAt(START.plusSeconds(1))
                        .build()),
                store().findThread("t"));
    }

    @Test
    default void aThreadMayBelongToNobody() {
        ThreadOwner nobody = new ThreadOwner(null, null);
        say(store(), "r", toThread("t", nobody, "m"));

        assertEquals(
                Optional.of(ThreadRecord.builder("t", nobody, START).length(1).build()), store().findThread("t"));
        assertEquals(List.of("m"), messageIds(store(), "t", nobody));
    }

    @Test
    default void aThreadThatIsNotThereIsEmpty() {
        assertEquals(Optional.empty(), store().findThread("t"));
        assertEquals(List.of(), store().readThread("t", ANN, Long.MAX_VALUE, 10));
        assertFalse(store().deleteThread("t", ANN));
        assertEquals(List.of(), store().listThreads("ann", 0, 10));
    }

    @Test
    default void bothPartsOfAnOwnerCount() {
        List<ThreadOwner> owners = List.of(
                new ThreadOwner("a", "b/c"),
                new ThreadOwner("a/b", "c"),
                new ThreadOwner("a", "b"),
                new ThreadOwner("a", null),
                new ThreadOwner(null, "a"),
                new ThreadOwner(null, null),
                new ThreadOwner("", ""),
                new ThreadOwner("null", "null"));
        for (ThreadOwner owner : owners) {
            String thread = "thread " + owners.indexOf(owner);
            say(store(), "run for " + thread, toThread(thread, owner, "m"));
            for (ThreadOwner other : owners) {
                if (other.equals(owner)) {
                    assertEquals(List.of("m"), messageIds(store(), thread, other));
                } else {
                    assertThrows(
                            ThreadOwnershipException.class,
                            () -> store().readThread(thread, other, Long.MAX_VALUE, 10),
                            () -> other + " read a thread of " + owner);
                }
            }
        }
    }

    @Test
    default void anotherOwnerIsRefusedBeforeAnythingIsReadOrChanged() {
        say(store(), "r", toThread("t", ANN, "m"));

        assertThrows(ThreadOwnershipException.class, () -> store().readThread("t", BOB, 0, 0));
        assertThrows(ThreadOwnershipException.class, () -> store().deleteThread("t", BOB));
        assertThrows(ThreadOwnershipException.class, () -> say(store(), "s", toThread("t", BOB, "x")));
        assertThrows(ThreadOwnershipException.class, () -> say(store(), "s", toThread("t", BOB)));
        assertEquals(List.of("m"), messageIds(store(), "t", ANN));
    }

    @Test
    default void aRefusalDoesNotSayWhomAThreadBelongsTo() {
        say(store(), "r", toThread("t", new ThreadOwner("secret-name", "secret-path"), "m"));

        String message = assertThrows(
                        ThreadOwnershipException.class, () -> store().readThread("t", BOB, Long.MAX_VALUE, 10))
                .getMessage();
        assertFalse(message.contains("secret"), message);
    }

    @Test
    default void aDeletedThreadIsGoneAndTheFactsStay() {
        store().append(with(start("r", facts(2)), toThread("t", ANN, "m0", "m1"), toThread("u", ANN, "m0")));

        assertTrue(store().deleteThread("t", ANN));

        assertEquals(Optional.empty(), store().findThread("t"));
        assertEquals(List.of(), messageIds(store(), "t", ANN));
        assertEquals(List.of("m0"), messageIds(store(), "u", ANN));
        assertEquals(2, store().read(id("r"), 0).size());
        assertFalse(store().deleteThread("t", ANN));
    }

    @Test
    default void aDeletedThreadsIdIsFreeForAnother() {
        say(store(), "r", toThread("t", ANN, "m0", "m1"));
        boolean deleted = store().deleteThread("t", ANN);
        say(store(), "s", toThread("t", BOB, "m1"));

        assertTrue(deleted);
        assertEquals(List.of("m1"), messageIds(store(), "t", BOB));
        assertEquals(1, store().findThread("t").orElseThrow().length());
    }

    @Test
    default void theNewestConversationOfAResourceComesFirst() {
        for (String thread : List.of("b", "c", "a")) {
            say(store(), "r-" + thread, toThread(thread, ANN, "m"));
        }
        store().append(with(start(root("s", START.plusSeconds(1)), facts(1)), toThread("0", ANN, "m")));
        say(store(), "u", toThread("bobs", BOB, "m"), toThread("nobodys", new ThreadOwner(null, null), "m"));
        say(store(), "v", toThread("of a sub-agent", new ThreadOwner("ann", "boss/writer"), "m"));

        assertEquals(List.of("0", "c", "b", "a"), threads(0, 100));
        assertEquals(List.of("c", "b"), threads(1, 2));
        assertEquals(List.of(), threads(4, 2));
        assertEquals(List.of(), threads(0, 0));
    }

    private List<String> threads(int offset, int limit) {
        return store().listThreads("ann", offset, limit).stream()
                .map(ThreadRecord::threadId)
                .toList();
    }
}
