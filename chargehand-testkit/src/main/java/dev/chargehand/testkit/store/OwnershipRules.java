package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who may write to a run, and who is alive. */
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
}
