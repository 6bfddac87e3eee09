package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.fact;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How facts are written and read, and which writers are rejected. */
interface AppendRules extends HasStore {

    @Test
    default void factsAreReadInTheOrderOfWritingWithTheirTypeAndVersion() {
        store().append(start("r", FactEntry.of("Started", 1, "{\"a\":1}"), FactEntry.of("Answered", 7, "null")));
        store().append(more("r", 1, 2, fact("x"), fact("x")));

        assertEquals(
                List.of("Started v1 {\"a\":1}", "Answered v7 null", "Answered v1 \"x\"", "Answered v1 \"x\""),
                store().read(id("r"), 0).stream().map(f -> f + " " + f.text()).toList());
    }

    @Test
    default void factsAreReadFromAPositionOn() {
        store().append(start("r", facts(5)));

        assertEquals(
                List.of("\"fact 3\"", "\"fact 4\""),
                store().read(id("r"), 3).stream().map(FactEntry::text).toList());
        assertEquals(List.of(), store().read(id("r"), 5));
        assertEquals(List.of(), store().read(id("r"), Long.MAX_VALUE));
    }

    @Test
    default void aTextThatIsWrittenLaterIsStored() {
        store().append(start("r", FactEntry.lazy("Started", 1, true, lazy -> "{\"lazy\":" + lazy + "}")));

        assertEquals(List.of("{\"lazy\":true}"), texts(store(), "r"));
    }

    @Test
    default void aRunThatIsNotThereHasNeitherFactsNorARecord() {
        store().append(start("r", facts(1)));

        assertEquals(List.of(), store().read(id("other"), 0));
        assertEquals(Optional.empty(), store().find(id("other")));
    }

    @Test
    default void aRecordIsKeptWithAllItsParts() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(3)));

        assertEquals(Optional.of(root("r").advanced(RunStatus.RUNNING, 1, START)), store().find(id("r")));
        assertEquals(Optional.of(child("c", "r").advanced(RunStatus.RUNNING, 3, START)), store().find(id("c")));
    }

    @Test
    default void aRecordFollowsItsRun() {
        store().append(start("r", facts(1)));
        store().append(Append.to(id("r"), 1, 1, List.of(facts(2)), RunStatus.SUSPENDED, START.plusSeconds(9)));

        RunRecord expected = root("r").advanced(RunStatus.SUSPENDED, 3, START.plusSeconds(9));
        assertEquals(Optional.of(expected), store().find(id("r")));
    }

    @Test
    default void aRecordSaysWhenTheFirstAnswerExpiresUntilTheRunWaitsNoLonger() {
        Instant expiresAt = START.plusSeconds(86_400);
        store().append(start("r", facts(1)));
        store().append(more("r", 1, 1, facts(1)).expiresAt(expiresAt));

        RunRecord waiting = root("r").advanced(RunStatus.RUNNING, 2, START.plusSeconds(1), expiresAt);
        assertEquals(Optional.of(waiting), store().find(id("r")));
        assertEquals(List.of(waiting), store().list(RunFilter.ALL));
        assertEquals(waiting.claimed("process-2"), store().claim(id("r"), 1, 2, "process-2"));
        assertEquals(Optional.of(waiting.claimed("process-2")), store().find(id("r")));

        store().append(more("r", 2, 2, facts(1)));
        assertEquals(Optional.empty(), store().find(id("r")).orElseThrow().expiresAt());
    }

    @Test
    default void aRunMayWaitForAnAnswerFromItsFirstFactsOn() {
        Instant expiresAt = START.plusSeconds(1);
        store().append(start("r", facts(1)).expiresAt(expiresAt));

        assertEquals(Optional.of(expiresAt), store().find(id("r")).orElseThrow().expiresAt());
    }

    @Test
    default void aRunIsStartedOnce() {
        store().append(start("r", fact("first")));

        assertRefused(FENCED, () -> store().append(start("r", fact("second"))));
        assertEquals(List.of("\"first\""), texts(store(), "r"));
    }

    @Test
    default void aRunHasToBeStartedFirst() {
        assertRefused(NOT_FOUND, () -> store().append(more("r", 1, 0, fact("x"))));
        assertEquals(Optional.empty(), store().find(id("r")));
    }

    @Test
    default void aWriterThatKnowsAnotherLengthIsRefused() {
        store().append(start("r", facts(2)));

        assertRefused(FENCED, () -> store().append(more("r", 1, 1, fact("behind"))));
        assertRefused(FENCED, () -> store().append(more("r", 1, 3, fact("ahead"))));
        assertEquals(2, store().read(id("r"), 0).size());
        assertEquals(2, store().find(id("r")).orElseThrow().length());
    }

    @Test
    default void aWriterWithAnotherEpochIsRefused() {
        store().append(start("r", facts(2)));
        store().claim(id("r"), 1, 2, "process-2");

        assertRefused(FENCED, () -> store().append(more("r", 1, 2, fact("late"))));
        assertRefused(FENCED, () -> store().append(more("r", 3, 2, fact("early"))));
        assertEquals(2, store().read(id("r"), 0).size());

        store().append(more("r", 2, 2, fact("mine")));
        assertEquals(3, store().read(id("r"), 0).size());
    }

    @Test
    default void factsAndMessagesAreStoredTogether() {
        store().append(with(start("r", facts(1)), toThread("t", ANN, "m1"), toThread("u", BOB, "m2")));

        assertEquals(1, store().read(id("r"), 0).size());
        assertEquals(List.of("m1"), messageIds(store(), "t", ANN));
        assertEquals(List.of("m2"), messageIds(store(), "u", BOB));
    }

    @Test
    default void nothingIsStoredWhenAThreadBelongsToAnother() {
        say(store(), "before", toThread("bobs", BOB, "m1"));
        store().append(start("r", facts(1)));

        Append onward = with(more("r", 1, 1, fact("x")), toThread("anns", ANN, "m2"), toThread("bobs", ANN, "m3"));
        assertThrows(ThreadOwnershipException.class, () -> store().append(onward));
        Append first = with(start("s", facts(1)), toThread("anns", ANN, "m4"), toThread("bobs", ANN, "m5"));
        assertThrows(ThreadOwnershipException.class, () -> store().append(first));

        assertEquals(Optional.of(root("r").advanced(RunStatus.RUNNING, 1, START)), store().find(id("r")));
        assertEquals(1, store().read(id("r"), 0).size());
        assertEquals(Optional.empty(), store().find(id("s")));
        assertEquals(List.of(), store().read(id("s"), 0));
        assertEquals(Optional.empty(), store().findThread("anns"));
        assertEquals(List.of("m1"), messageIds(store(), "bobs", BOB));
    }

    @Test
    default void noMessageIsStoredWhenTheWriterIsRefused() {
        store().append(start("r", facts(1)));

        assertRefused(FENCED, () -> store().append(with(more("r", 1, 0, fact("x")), toThread("t", ANN, "m"))));
        assertEquals(Optional.empty(), store().findThread("t"));
    }
}
