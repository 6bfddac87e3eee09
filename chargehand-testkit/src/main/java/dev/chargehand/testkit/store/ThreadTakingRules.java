package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.fact;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One root run at a time executes a thread, of those that ask for it. */
interface ThreadTakingRules extends HasStore {

    @Test
    default void aRunTakesAFreeThread() {
        live("process-1");

        store().append(taking("r", "t", "process-1"));

        assertEquals(1, store().find(id("r")).orElseThrow().length());
    }

    @Test
    default void aThreadThatARunIsAtWorkOnIsRefusedToAnother() {
        live("process-1");
        store().append(taking("first", "t", "process-1"));

        for (String owner : List.of("process-1", "process-2")) {
            Append second = with(taking("second", "t", owner), toThread("t", ANN, "m"), toThread("u", ANN, "m"));
            ThreadBusyException busy = assertThrows(ThreadBusyException.class, () -> store().append(second));

            assertEquals("t", busy.threadId());
            assertEquals("first", busy.runId());
            assertEquals("thread-busy", busy.code());
            assertTrue(busy.retryable());
        }
        assertEquals(Optional.empty(), store().find(id("second")));
        assertEquals(List.of(), store().read(id("second"), 0));
        assertEquals(Optional.empty(), store().findThread("t"));
        assertEquals(Optional.empty(), store().findThread("u"));
    }

    @Test
    default void aThreadIsFreeAgainWhenItsRunIsNotRunningAnyMore() {
        live("process-1");
        for (RunStatus status : RunStatus.values()) {
            if (status != RunStatus.RUNNING && status != RunStatus.PENDING) {
                String thread = "thread " + status;
                store().append(taking("first " + status, thread, "process-1"));
                store().append(withStatus("first " + status, 1, status));

                store().append(taking("second " + status, thread, "process-1"));
            }
        }
    }

    @Test
    default void aRunThatIsResumedTakesItsThreadAgainOrIsRefused() {
        live("process-1");
        store().append(taking("first", "t", "process-1"));
        store().append(withStatus("first", 1, RunStatus.SUSPENDED));
        store().append(taking("second", "t", "process-1"));

        Append resumed = with(more("first", 1, 2, fact("resumed")), toThread("t", ANN, "m"))
                .takesThread(true);
        ThreadBusyException busy = assertThrows(ThreadBusyException.class, () -> store().append(resumed));
        assertEquals("second", busy.runId());
        RunRecord first = store().find(id("first")).orElseThrow();
        assertEquals(RunStatus.SUSPENDED, first.status());
        assertEquals(2, first.length());
        assertEquals(2, store().read(id("first"), 0).size());
        assertEquals(Optional.empty(), store().findThread("t"));

        store().append(withStatus("second", 1, RunStatus.COMPLETED));
        store().append(resumed);
        assertEquals(RunStatus.RUNNING, store().find(id("first")).orElseThrow().status());
        assertThrows(ThreadBusyException.class, () -> store().append(taking("third", "t", "process-1")));
    }

    @Test
    default void aRunDoesNotStandInItsOwnWay() {
        live("process-1");
        store().append(taking("r", "t", "process-1"));

        store().append(more("r", 1, 1, facts(1)).takesThread(true));
        store().claim(id("r"), 1, 2, "process-1");
        store().append(more("r", 2, 2, facts(1)).takesThread(true));
    }

    @Test
    default void aRunOfADeadOwnerDoesNotKeepItsThread() {
        store().append(taking("of one that never lived", "t", "process-1"));
        live("process-2");
        store().append(taking("of one that dies", "t", "process-2"));
        store().heartbeat("process-2", Duration.ZERO);

        live("process-3");
        store().append(taking("r", "t", "process-3"));
        assertThrows(ThreadBusyException.class, () -> store().append(taking("s", "t", "process-3")));
    }

    @Test
    default void aRunThatALivingOwnerHasClaimedKeepsItsThread() {
        store().append(taking("first", "t", "process-1"));
        live("process-2");
        store().claim(id("first"), 1, 1, "process-2");

        assertThrows(ThreadBusyException.class, () -> store().append(taking("second", "t", "process-2")));
    }

    @Test
    default void oneOfTheRunsThatDeadOwnersHaveLeftOnAThreadTakesIt() {
        live("process-1");
        store().append(taking("first", "t", "process-1"));
        store().release(id("first"), 1);
        store().append(taking("second", "t", "process-1"));
        store().release(id("second"), 1);
        live("process-2");
        store().claim(id("first"), 2, 1, "process-1");
        store().claim(id("second"), 2, 1, "process-2");

        ThreadBusyException busy = assertThrows(ThreadBusyException.class, () -> store().append(resumed("first", 1)));
        assertEquals("second", busy.runId());
        store().append(resumed("second", 1));
        assertThrows(ThreadBusyException.class, () -> store().append(resumed("first", 1)));

        store().append(Append.to(id("second"), 3, 2, List.of(facts(1)), RunStatus.COMPLETED, START));
        store().append(resumed("first", 1));
    }

    @Test
    default void aRunLosesItsThreadToOneThatTakesItAfterTheDeathOfItsOwner() {
        live("process-1");
        store().append(taking("first", "t", "process-1"));
        store().release(id("first"), 1);
        store().append(taking("second", "t", "process-1"));
        store().release(id("second"), 1);
        store().claim(id("first"), 2, 1, "process-1");
        store().append(resumed("first", 1));

        store().claim(id("second"), 2, 1, "process-1");

        assertThrows(ThreadBusyException.class, () -> store().append(resumed("second", 1)));
        store().append(Append.to(id("first"), 3, 2, List.of(facts(1)), RunStatus.SUSPENDED, START));
        store().append(resumed("second", 1));
        store().claim(id("first"), 3, 3, "process-1");
        ThreadBusyException busy = assertThrows(ThreadBusyException.class, () -> store().append(
                        more("first", 4, 3, facts(1)).takesThread(true)));
        assertEquals("second", busy.runId());
    }

    @Test
    default void runsWithoutAThreadOrOnOthersAreNotInTheWay() {
        live("process-1");
        store().append(taking("a", null, "process-1"));
        store().append(taking("b", null, "process-1"));
        store().append(taking("c", "t", "process-1"));
        store().append(taking("d", "u", "process-1"));
        store().append(taking("e", "T", "process-1"));
    }

    @Test
    default void nestedRunsNeitherTakeAThreadNorKeepIt() {
        live("process-1");
        store().append(start("root", facts(1)));
        store().append(nested("nested 1", "t"));
        store().append(nested("nested 2", "t"));
        store().append(taking("r", "t", "process-1"));

        store().append(nested("nested 3", "t"));
    }

    @Test
    default void aThreadThatNobodyAsksForIsShared() {
        live("process-1");
        store().append(taking("first", "t", "process-1"));

        store().append(taking("second", "t", "process-1").takesThread(false));

        assertThrows(ThreadBusyException.class, () -> store().append(taking("third", "t", "process-1")));
    }

    @Test
    default void whoeverMayNotSeeAThreadIsNotToldThatItIsBusy() {
        live("process-1");
        store().append(with(taking("first", "t", "process-1"), toThread("t", ANN, "m0")));

        assertThrows(ThreadOwnershipException.class, () -> store().append(
                        with(taking("second", "t", "process-1"), toThread("t", BOB, "m1"))));
        assertEquals(List.of("m0"), messageIds(store(), "t", ANN));
    }

    @Test
    default void aLateOwnerIsToldSoAndNotThatItsThreadIsBusy() {
        live("process-1");
        store().append(taking("first", "t", "process-1"));
        store().append(withStatus("first", 1, RunStatus.SUSPENDED));
        store().claim(id("first"), 1, 2, "process-2");
        store().append(taking("second", "t", "process-1"));

        assertRefused(FENCED, () -> store().append(more("first", 1, 2, facts(1)).takesThread(true)));
    }

    private void live(String owner) {
        store().heartbeat(owner, Duration.ofHours(1));
    }

    private static Append taking(String run, @Nullable String thread, String owner) {
        RunRecord record = RunRecord.builder(id(run), "boss", owner, START)
                .threadId(thread)
                .resourceId("ann")
                .build();
        return start(record, facts(1)).takesThread(true);
    }

    private static Append nested(String run, String thread) {
        RunRecord record = RunRecord.builder(id(run), "writer", "process-1", START)
                .rootRunId(id("root"))
                .parentRunId(id("root"))
                .parentCallId("call")
                .path("boss/writer")
                .threadId(thread)
                .resourceId("ann")
                .build();
        return start(record, facts(1)).takesThread(true);
    }

    /** Resume a run that has been claimed once after its release. */
    private static Append resumed(String run, long length) {
        return more(run, 3, length, facts(1)).takesThread(true);
    }

    private static Append withStatus(String run, long length, RunStatus status) {
        return Append.to(id(run), 1, length, List.of(facts(1)), status, START);
    }
}
