package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Owners are alive for as long as they say, a late owner cannot write, and a released run belongs to none. */
interface OwnershipRules extends HasStore {

    @Test
    default void aClaimChangesTheOwnerAndRaisesTheEpoch() {
        store().append(start("r", facts(2)));

        RunRecord claimed = store().claim(id("r"), 1, 2, "process-2");

        RunRecord before = root("r").advanced(RunStatus.RUNNING, 2, START);
        assertEquals(before.claimed("process-2"), claimed);
        assertEquals(Optional.of(claimed), store().find(id("r")));
        assertEquals(3, store().claim(id("r"), 2, 2, "process-2").epoch());
    }

    @Test
    default void aClaimThatSawAnotherEpochIsRefused() {
        store().append(start("r", facts(2)));
        RunRecord claimed = store().claim(id("r"), 1, 2, "process-2");

        assertRefused(FENCED, () -> store().claim(id("r"), 1, 2, "late"));
        assertRefused(FENCED, () -> store().claim(id("r"), 3, 2, "early"));
        assertEquals(Optional.of(claimed), store().find(id("r")));
    }

    @Test
    default void aClaimThatSawFewerFactsIsRefused() {
        store().append(start("r", facts(2)));
        store().append(more("r", 1, 2, facts(1)));
        Optional<RunRecord> before = store().find(id("r"));

        assertRefused(FENCED, () -> store().claim(id("r"), 1, 2, "late"));
        assertRefused(FENCED, () -> store().claim(id("r"), 1, 4, "early"));
        assertEquals(before, store().find(id("r")));
        assertEquals(2, store().claim(id("r"), 1, 3, "process-2").epoch());
    }

    @Test
    default void aRunThatIsNotThereCannotBeClaimed() {
        assertRefused(NOT_FOUND, () -> store().claim(id("r"), 1, 2, "process-2"));
    }

    @Test
    default void anOwnerIsAliveFromItsHeartbeatUntilItSaysThatItIsGone() {
        assertFalse(store().isAlive("process-1"));

        store().heartbeat("process-1", Duration.ofHours(1));
        store().heartbeat("process-2", Duration.ofHours(1));
        assertTrue(store().isAlive("process-1"));

        store().heartbeat("process-1", Duration.ZERO);
        assertFalse(store().isAlive("process-1"));
        assertTrue(store().isAlive("process-2"));

        store().heartbeat("process-1", Duration.ofHours(1));
        assertTrue(store().isAlive("process-1"));
    }

    @Test
    default void anOwnerThatNeverLivedMayBeGone() {
        store().heartbeat("process-1", Duration.ZERO);

        assertFalse(store().isAlive("process-1"));
    }

    @Test
    default void aReleaseTakesTheOwnerFromTheRootRunAndRaisesItsEpoch() {
        store().append(start("r", facts(2)));
        store().append(start("other", facts(1)));

        store().release(id("r"), 1);

        assertEquals(Optional.of(root("r").advanced(RunStatus.RUNNING, 2, START).claimed("")), store().find(id("r")));
        assertEquals(Optional.of(root("other").advanced(RunStatus.RUNNING, 1, START)), store().find(id("other")));
    }

    @Test
    default void whoeverWritesLateAfterAReleaseIsRefused() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));

        store().release(id("r"), 1);

        assertRefused(FENCED, () -> store().append(more("r", 1, 1, facts(1))));
        assertRefused(FENCED, () -> store().append(more("c", 1, 1, facts(1)).rootRunId(id("r"))));
        assertRefused(FENCED, () -> store().release(id("r"), 1));
        assertEquals(1, texts(store(), "r").size());
        assertEquals(3, store().claim(id("r"), 2, 1, "process-2").epoch());
    }

    @Test
    default void aReleaseLeavesARunThatHasEndedAsItIs() {
        store().append(start("other", facts(1)));
        store().append(start("r", facts(1)));
        store().append(Append.to(id("r"), 1, 1, List.of(facts(1)), RunStatus.COMPLETED, START));
        Optional<RunRecord> ended = store().find(id("r"));

        if (ended.isPresent()) { // a store may forget it
            store().release(id("r"), 1);
        }

        assertEquals(ended, store().find(id("r")));
    }

    @Test
    default void aReleasedRunLeavesItsThreadToOthers() {
        store().heartbeat("process-1", Duration.ofHours(1));
        store().append(start(onThread("r"), facts(1)).takesThread(true));

        store().release(id("r"), 1);

        store().append(start(onThread("next"), facts(1)).takesThread(true));
        assertEquals(1, texts(store(), "next").size());
    }

    @Test
    default void aRunThatIsNotThereOrHasAnotherOwnerCannotBeReleased() {
        assertRefused(NOT_FOUND, () -> store().release(id("r"), 1));
        store().append(start("r", facts(1)));
        RunRecord claimed = store().claim(id("r"), 1, 1, "process-2");

        assertRefused(FENCED, () -> store().release(id("r"), 1));
        assertEquals(Optional.of(claimed), store().find(id("r")));
    }

    private static RunRecord onThread(String run) {
        return RunRecord.builder(id(run), "boss", "process-1", START)
                .threadId("t")
                .build();
    }
}
