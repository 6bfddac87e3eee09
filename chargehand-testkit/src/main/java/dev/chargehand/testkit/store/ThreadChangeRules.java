package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.ids;
import static dev.chargehand.testkit.store.Samples.message;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.said;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.testkit.store.Samples.HasStore;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What can be done with a thread besides appending to it. */
interface ThreadChangeRules extends HasStore {

    Instant LATER = START.plusSeconds(60);

    private static ThreadRecord thread(String id) {
        return ThreadRecord.builder(id, ANN, START)
                .title("Holidays \u00e9 \u0000")
                .metadata(Json.of(Map.of("k", "v")))
                .build();
    }

    private List<String> listed() {
        return store().listThreads("ann", 0, 100).stream()
                .map(ThreadRecord::threadId)
                .toList();
    }

    @Test
    default void messagesThatNoRunSaysAreAppendedOnce() {
        ThreadRecord made = store().appendToThread(toThread("t", ANN, "m0", "m1"), START);

        assertEquals(2, made.length());
        assertEquals(store().findThread("t"), Optional.of(made));
        say(store(), "r", toThread("t", ANN, "m2"));
        ThreadRecord later = store().appendToThread(toThread("t", ANN, "m1", "m3"), START.plusSeconds(5));
        assertEquals(4, later.length());
        assertEquals(START.plusSeconds(5), later.updatedAt());
        assertEquals(List.of("m0", "m1", "m2", "m3"), messageIds(store(), "t", ANN));
        assertThrows(ThreadOwnershipException.class, () -> store().appendToThread(toThread("t", BOB, "m4"), START));
        assertEquals(4, store().findThread("t").orElseThrow().length());
    }

    @Test
    default void aLargeMessageThatNoRunSaysIsReadAgain() {
        String text = "\"" + "x".repeat(100_000) + "\"";
        List<ThreadEntry> large = List.of(new ThreadEntry("m", text));

        ThreadRecord made = store().appendToThread(new ThreadAppend("t", ANN, null, null, large), START);

        assertEquals(
                List.of(text),
                store().readThread("t", ANN, made.length(), 9).stream()
                        .map(ThreadEntry::text)
                        .toList());
    }

    @Test
    default void aMessageHasItsPlaceAndItsTime() {
        say(store(), "r", toThread("t", ANN, "m0"));
        Instant before = START.minusSeconds(9);
        ThreadEntry copied = message("m1").placed(-1, before);
        say(store(), "s", new ThreadAppend("t", ANN, null, null, List.of(copied, message("m2"))));

        assertEquals(
                List.of(
                        message("m0").placed(0, START),
                        message("m1").placed(1, before),
                        message("m2").placed(2, START)),
                store().readThread("t", ANN, Long.MAX_VALUE, 9));
    }

    @Test
    default void messagesAreReadFromAPositionOn() {
        say(store(), "r", toThread("t", ANN, "m0", "m1", "m2", "m3"));

        assertEquals(List.of("m0", "m1"), ids(store().readThreadFrom("t", ANN, 0, 2)));
        assertEquals(List.of("m2", "m3"), ids(store().readThreadFrom("t", ANN, 2, 9)));
        assertEquals(List.of(), ids(store().readThreadFrom("t", ANN, 4, 9)));
        assertEquals(List.of(), ids(store().readThreadFrom("t", ANN, 0, 0)));
        assertEquals(List.of(), store().readThreadFrom("missing", ANN, 0, 9));
        assertThrows(ThreadOwnershipException.class, () -> store().readThreadFrom("t", BOB, 0, 0));
    }

    @Test
    default void aThreadIsCreatedBeforeItsFirstMessage() {
        assertTrue(store().createThread(thread("t")));

        assertEquals(Optional.of(thread("t")), store().findThread("t"));
        assertEquals(List.of(thread("t")), store().listThreads("ann", 0, 9));
        say(store(), "r", toThread("t", ANN, "m"));
        assertEquals(Optional.of(thread("t").lengthened(1, START)), store().findThread("t"));
        assertThrows(ThreadOwnershipException.class, () -> say(store(), "s", toThread("t", BOB, "n")));
    }

    @Test
    default void anIdThatExistsIsNotCreatedAgain() {
        say(store(), "r", toThread("t", BOB, "m"));

        assertFalse(store().createThread(thread("t")));

        assertEquals(List.of("m"), messageIds(store(), "t", BOB));
        assertEquals(Optional.empty(), store().findThread("t").orElseThrow().title());
    }

    @Test
    default void titleAndMetadataAreChangedAndNothingElse() {
        say(store(), "r", toThread("t", ANN, "m"));

        ThreadRecord titled = store().changeThread("t", ANN, new ThreadChange().title("One"), LATER);
        assertEquals(Optional.of(titled), store().findThread("t"));
        assertEquals(Optional.of("One"), titled.title());
        assertEquals(LATER, titled.updatedAt());
        assertEquals(START, titled.createdAt());

        ThreadChange more = new ThreadChange().metadata(Map.of("a", 1, "b", List.of("x")));
        assertEquals(
                Optional.of("One"), store().changeThread("t", ANN, more, LATER).title());
        ThreadChange merged = new ThreadChange().addMetadata("a", null).addMetadata("c", "\u0000");
        Json after = store().changeThread("t", ANN, merged, LATER).metadata();
        assertEquals(Json.of(Map.of("b", List.of("x"), "c", "\u0000")).canonical(), after.canonical());
        assertEquals(Optional.of(after), store().findThread("t").map(ThreadRecord::metadata));
        assertEquals(List.of("m"), messageIds(store(), "t", ANN));

        ThreadRecord bare =
                store().changeThread("t", ANN, new ThreadChange().title(null).metadata(Map.of()), LATER);
        assertEquals(Optional.empty(), bare.title());
        assertEquals(Json.parse("{}"), store().findThread("t").orElseThrow().metadata());
    }

    @Test
    default void onlyAThreadOfItsOwnerIsChanged() {
        say(store(), "r", toThread("t", ANN, "m"));
        ThreadChange change = new ThreadChange().title("Mine");

        assertThrows(ThreadOwnershipException.class, () -> store().changeThread("t", BOB, change, LATER));
        assertRefused(StoreException.Kind.NOT_FOUND, () -> store().changeThread("missing", BOB, change, LATER));
        assertEquals(Optional.empty(), store().findThread("t").orElseThrow().title());
    }

    @Test
    default void theThreadThatWasChangedLastComesFirst() {
        say(store(), "r", toThread("a", ANN, "m"), toThread("b", ANN, "m"), toThread("c", ANN, "m"));
        assertEquals(List.of("c", "b", "a"), listed());

        ThreadRecord a = store().changeThread("a", ANN, new ThreadChange().title("A"), START.plusSeconds(1));
        assertEquals(Optional.of("A"), a.title());
        store().append(with(
                start(RunRecord.builder(id("s"), "boss", "p", LATER).build(), facts(1)), toThread("b", ANN, "n")));

        assertEquals(List.of("b", "a", "c"), listed());
    }

    @Test
    default void aCopyHasTheMessagesBeforeAPosition() {
        String large = "{\"text\":\"" + "x".repeat(50_000) + "\"}";
        ThreadEntry long1 = new ThreadEntry("m1", large);
        say(store(), "r", new ThreadAppend("t", ANN, null, null, List.of(message("m0"), long1, message("m2"))));

        assertTrue(store().copyThread("t", 2, thread("copy")));
        assertTrue(store().copyThread("t", Long.MAX_VALUE, thread("whole")));
        assertTrue(store().copyThread("t", 0, thread("empty")));

        assertEquals(
                List.of(message("m0").placed(0, START), long1.placed(1, START)),
                store().readThread("copy", ANN, Long.MAX_VALUE, 9));
        ThreadRecord source = store().findThread("t").orElseThrow();
        assertEquals(Optional.of(thread("copy").copiedFrom(source, 2)), store().findThread("copy"));
        assertEquals(Optional.of(thread("empty").copiedFrom(source, 0)), store().findThread("empty"));
        say(store(), "s", toThread("t", ANN, "m3"), toThread("copy", ANN, "n", "m0"));
        assertEquals(List.of("m0", "m1", "n"), messageIds(store(), "copy", ANN));
        assertTrue(store().deleteThread("t", ANN));
        assertEquals(List.of(message("m0"), long1, message("m2")), said(store().readThread("whole", ANN, 9, 9)));
    }

    @Test
    default void onlyAThreadOfItsOwnerIsCopiedAndOnlyToANewOne() {
        say(store(), "r", toThread("bobs", BOB, "m"), toThread("t", ANN, "m"), toThread("u", ANN, "n"));

        assertThrows(ThreadOwnershipException.class, () -> store().copyThread("bobs", 9, thread("copy")));
        assertRefused(StoreException.Kind.NOT_FOUND, () -> store().copyThread("missing", 9, thread("copy")));
        assertEquals(Optional.empty(), store().findThread("copy"));
        assertFalse(store().copyThread("t", 9, thread("u")));
        assertEquals(List.of("n"), messageIds(store(), "u", ANN));
    }

    @Test
    default void aThreadIsNotDeletedWhileARunOfItHasNotEnded() {
        for (RunStatus open : List.of(RunStatus.PENDING, RunStatus.RUNNING, RunStatus.SUSPENDED)) {
            String thread = "thread " + open;
            String run = "run " + open;
            RunRecord record = RunRecord.builder(id(run), "boss", "gone", START)
                    .threadId(thread)
                    .resourceId("ann")
                    .status(open)
                    .build();
            store().append(with(start(record, facts(1)), toThread(thread, ANN, "m")));

            ThreadBusyException refused =
                    assertThrows(ThreadBusyException.class, () -> store().deleteThread(thread, ANN));
            assertEquals("resource-busy", refused.code());
            assertEquals(run, refused.runId());
            assertEquals(List.of("m"), messageIds(store(), thread, ANN));

            store().append(Append.to(id(run), 1, 1, List.of(facts(1)), RunStatus.ABORTED, LATER));
            assertTrue(store().deleteThread(thread, ANN));
        }
    }

    @Test
    default void aLongThreadIsReadPageByPageInBothDirections() {
        int messages = 10_000;
        List<ThreadEntry> entries =
                IntStream.range(0, messages).mapToObj(i -> message("m" + i)).toList();
        say(store(), "r", new ThreadAppend("t", ANN, null, null, entries));

        long before = messages;
        for (List<ThreadEntry> page = store().readThread("t", ANN, before, 999);
                !page.isEmpty();
                page = store().readThread("t", ANN, before, 999)) {
            assertEquals(before - 1, page.getLast().position());
            assertEquals("m" + (before - 1), page.getLast().messageId());
            before = page.getFirst().position();
        }
        assertEquals(0, before);
        assertEquals(List.of("m9998", "m9999"), ids(store().readThreadFrom("t", ANN, 9_998, 999)));
    }

    private void assertTitle(String thread, String title, TitleSource source) {
        ThreadRecord found = store().findThread(thread).orElseThrow();
        assertEquals(Optional.of(title), found.title());
        assertEquals(Optional.of(source), found.titleSource());
    }

    private void assertNoTitle(String thread) {
        ThreadRecord found = store().findThread(thread).orElseThrow();
        assertEquals(Optional.empty(), found.title());
        assertEquals(Optional.empty(), found.titleSource());
    }

    @Test
    default void theFirstWordsThatAreAppendedAreTheTitle() {
        say(store(), "r", toThread("t", ANN, "m0"));
        assertNoTitle("t");

        say(store(), "s", toThread("t", ANN, "m1").title("First \u00e9 \u0000"));
        assertTitle("t", "First \u00e9 \u0000", TitleSource.FIRST_WORDS);
        say(store(), "u", toThread("t", ANN, "m2").title("Second"));
        assertTitle("t", "First \u00e9 \u0000", TitleSource.FIRST_WORDS);
        ThreadRecord alone = store().appendToThread(toThread("a", ANN, "m0").title("Alone"), START);

        assertTitle("a", "Alone", TitleSource.FIRST_WORDS);
        assertEquals(Optional.of(alone), store().findThread("a"));
        assertEquals(
                Optional.of(TitleSource.FIRST_WORDS),
                store().listThreads("ann", 0, 9).getFirst().titleSource());
    }

    @Test
    default void firstWordsDoNotReplaceTheTitleOfTheApplication() {
        Instant later = START.plusSeconds(1);
        say(store(), "r", toThread("t", ANN, "m0").title("First"));

        ThreadRecord mine = store().changeThread("t", ANN, new ThreadChange().title(""), later);
        assertEquals(Optional.of(mine), store().findThread("t"));
        say(store(), "s", toThread("t", ANN, "m1").title("Second"));
        assertTitle("t", "", TitleSource.USER);
        assertTrue(store().createThread(
                        ThreadRecord.builder("u", ANN, START).title("Made").build()));
        say(store(), "v", toThread("u", ANN, "m").title("First"));
        assertTitle("u", "Made", TitleSource.USER);
    }

    @Test
    default void aThreadWhoseTitleWasGivenUpGetsTheNextWords() {
        say(store(), "r", toThread("t", ANN, "m0").title("First"));

        ThreadRecord bare = store().changeThread("t", ANN, new ThreadChange().title(null), START);
        assertEquals(Optional.of(bare), store().findThread("t"));
        assertNoTitle("t");
        ThreadRecord same = store().changeThread("t", ANN, new ThreadChange().addMetadata("k", 1), START);
        assertEquals(Optional.empty(), same.titleSource());
        say(store(), "s", toThread("t", ANN, "m1").title("Second"));

        assertTitle("t", "Second", TitleSource.FIRST_WORDS);
        assertEquals(
                Optional.of(TitleSource.FIRST_WORDS),
                store().changeThread("t", ANN, new ThreadChange().addMetadata("k", 2), START)
                        .titleSource());
    }

    @Test
    default void aCopyHasTheTitleOfItsRecordAndItsSource() {
        say(store(), "r", toThread("t", ANN, "m0").title("First"));

        assertTrue(store().copyThread(
                        "t",
                        Long.MAX_VALUE,
                        ThreadRecord.builder("copy", ANN, START)
                                .title("First", TitleSource.MODEL)
                                .build()));

        assertTitle("copy", "First", TitleSource.MODEL);
        assertTitle("t", "First", TitleSource.FIRST_WORDS);
    }

    /** Its caller had read the title before the message was deleted that it is of. */
    @Test
    default void aCopyHasNoWordsOfADeletedMessageInItsTitle() {
        ThreadRecord read =
                store().appendToThread(toThread("t", ANN, "m0", "m1").title("First"), START);
        assertEquals(1, store().delete(new Deletion.MessagesOfThread("t", ANN, Set.of("m0"), Set.of())));

        for (TitleSource source : TitleSource.values()) {
            assertTrue(store().copyThread(
                            "t",
                            Long.MAX_VALUE,
                            ThreadRecord.builder("copy " + source, ANN, START)
                                    .title(read.title().orElseThrow(), source)
                                    .build()));
        }

        assertTitle("copy USER", "First", TitleSource.USER);
        for (TitleSource derived : List.of(TitleSource.FIRST_WORDS, TitleSource.MODEL)) {
            ThreadRecord copy = store().findThread("copy " + derived).orElseThrow();
            assertEquals(Optional.empty(), copy.title());
            assertEquals(Optional.empty(), copy.titleSource());
        }
    }
}
