package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Large texts are returned unchanged, regardless of other users of the same text and of their place. */
interface LargeTextRules extends HasStore {

    /** Longer than any store keeps in place. */
    String PADDING = "0123456789abcdef".repeat(10_000);

    @Test
    default void factsAndMessagesOfTenMegabytesAreKept() {
        String large = '"' + "0123456789abcde\u00e9".repeat(625_000) + '"';
        store().append(with(start("r", FactEntry.of("Started", 1, large)), message("t", "m", large)));

        assertSame(large, store().read(id("r"), 0).getFirst().text());
        assertSame(large, readMessages(store(), "t").getFirst());
    }

    @Test
    default void largeAndSmallTextsKeepTheirOrder() {
        List<String> given = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            given.add('"' + (i % 2 == 0 ? PADDING : "") + i + '"');
        }
        FactEntry[] facts =
                given.stream().map(text -> FactEntry.of("Answered", 1, text)).toArray(FactEntry[]::new);
        List<ThreadEntry> entries = given.stream()
                .map(text -> new ThreadEntry("m" + given.indexOf(text), text))
                .toList();
        store().append(with(start("r", facts), new ThreadAppend("t", ANN, null, null, entries)));

        assertEquals(given, texts(store(), "r"));
        assertEquals(entries, Samples.said(store().readThread("t", ANN, Long.MAX_VALUE, 100)));
        assertEquals(
                given.subList(3, 6),
                store().read(id("r"), 3).stream().map(FactEntry::text).toList());
        assertEquals(entries.subList(2, 4), Samples.said(store().readThread("t", ANN, 4, 2)));
    }

    @Test
    default void textsOfAnyLengthAreKept() {
        List<String> given = new ArrayList<>();
        for (int length : List.of(0, 1, 1023, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 1_000_000)) {
            given.add("x".repeat(length));
            given.add("\u65e5".repeat(length));
        }
        List<String> different = given.stream().distinct().toList();
        store().append(start(
                "r",
                different.stream()
                        .map(text -> FactEntry.of("Answered", 1, text))
                        .toArray(FactEntry[]::new)));

        assertEquals(different, texts(store(), "r"));
    }

    @Test
    default void anyLargeTextIsKeptAndTakenForNoOther() {
        List<String> given = OddTextRules.ODD.stream()
                .flatMap(odd -> List.of(odd + PADDING, PADDING + odd).stream())
                .toList();
        List<ThreadEntry> entries = given.stream()
                .map(text -> new ThreadEntry("m" + given.indexOf(text), text))
                .toList();
        FactEntry[] facts =
                given.stream().map(text -> FactEntry.of("Answered", 1, text)).toArray(FactEntry[]::new);
        store().append(with(start("r", facts), new ThreadAppend("t", ANN, null, null, entries)));

        assertEquals(given, texts(store(), "r"));
        assertEquals(entries, Samples.said(store().readThread("t", ANN, Long.MAX_VALUE, 1000)));
    }

    /** A store may replace what has no UTF-8 form, but in large texts as in small ones. */
    @Test
    default void aSurrogateWithoutItsPartnerIsTheSameInALargeTextAsInASmallOne() {
        for (String odd : List.of("\ud800", "\udfff", "\udc00\ud800", "\ud83d\ud83d\ude00")) {
            String run = "r" + OddTextRules.ODD.size() + odd.hashCode();
            store().append(start(
                    run, FactEntry.of("Started", 1, odd), FactEntry.of("Started", 1, PADDING + odd + PADDING)));

            List<String> read = texts(store(), run);
            assertSame(PADDING + read.getFirst() + PADDING, read.getLast());
        }
    }

    @Test
    default void aLargeTextStaysWhenAThreadThatHasItTooIsDeleted() {
        String large = PADDING + "shared";
        store().append(with(start("r", FactEntry.of("Started", 1, large)), message("t", "m", large)));
        say(store(), "s", message("u", "n", large));

        assertTrue(store().deleteThread("t", ANN));
        assertEquals(List.of(), readMessages(store(), "t"));
        assertEquals(List.of(large), readMessages(store(), "u"));
        assertEquals(List.of(large), texts(store(), "r"));

        assertTrue(store().deleteThread("u", ANN));
        assertEquals(List.of(large), texts(store(), "r"));
    }

    @Test
    default void aLargeTextMayComeBackAfterItsThreadWasDeleted() {
        String large = PADDING + "again";
        for (int turn = 0; turn < 3; turn++) {
            say(store(), "r" + turn, message("t", "m", large), message("u" + turn, "m", large));
            assertEquals(List.of(large), readMessages(store(), "t"));
            assertTrue(store().deleteThread("t", ANN));
            assertTrue(store().deleteThread("u" + turn, ANN));
        }
        say(store(), "r", message("t", "m", large));
        assertEquals(List.of(large), readMessages(store(), "t"));
    }

    @Test
    default void aMessageThatIsThereKeepsItsLargeText() {
        say(store(), "r", message("t", "m", PADDING + "first"));
        say(store(), "s", message("t", "m", PADDING + "second"), message("u", "m", PADDING + "first"));
        say(store(), "v", message("t", "m", PADDING + "first"));

        assertEquals(List.of(PADDING + "first"), readMessages(store(), "t"));
        assertTrue(store().deleteThread("u", ANN));
        assertEquals(List.of(PADDING + "first"), readMessages(store(), "t"));
    }

    @Test
    default void nothingOfARefusedLargeTextIsStored() {
        String large = PADDING + "refused";
        say(store(), "before", toThread("bobs", BOB, "m"));

        assertThrows(ThreadOwnershipException.class, () -> store().append(with(
                start("r", FactEntry.of("Started", 1, large)), message("t", "m", large), message("bobs", "n", large))));
        assertEquals(Optional.empty(), store().find(id("r")));
        assertEquals(Optional.empty(), store().findThread("t"));

        store().append(with(start("r", FactEntry.of("Started", 1, large)), message("t", "m", large)));
        store().append(more("r", 1, 1, facts(1)));
        assertEquals(List.of(large, "\"fact 0\""), texts(store(), "r"));
        assertEquals(List.of(large), readMessages(store(), "t"));
    }

    private static ThreadAppend message(String thread, String messageId, String text) {
        return new ThreadAppend(thread, ANN, null, null, List.of(new ThreadEntry(messageId, text)));
    }

    private static List<String> readMessages(Store store, String thread) {
        return store.readThread(thread, ANN, Long.MAX_VALUE, 100).stream()
                .map(ThreadEntry::text)
                .toList();
    }

    /** Compare without printing megabytes. */
    private static void assertSame(String expected, String actual) {
        assertTrue(
                expected.equals(actual),
                () -> "A text of " + expected.length() + " characters came back with " + actual.length()
                        + " characters, or other ones.");
    }
}
