package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.toThread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which title a thread has, and what gave it. */
interface ThreadTitleRules extends HasStore {

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
}
