package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A thread with memory work to do is due until a worker has done it, and one worker at a time has it. */
interface MemoryWorkRules extends HasMemory {

    Duration LEASE = Duration.ofHours(1);

    /** A lease that is over at once. */
    Duration OVER = Duration.ZERO;

    /** Later than any clock of a store. */
    Instant FAR = Instant.parse("2999-01-01T00:00:00Z");

    @Test
    default void aThreadIsDueAfterAnAppendThatSaysSo() {
        MemoryStore memory = memory();
        ThreadOwner inner = new ThreadOwner(null, "boss/writer");
        say(store(), "quiet", ANN, 1);
        say(store(), "t", ANN, 1, "boss", START);
        RunRecord run =
                RunRecord.builder(new RunId("r"), "boss", "process-1", START).build();
        store().append(Append.start(run, List.of())
                .threads(List.of(new ThreadAppend("u", inner, null, null, List.of(new ThreadEntry("m", "\"x\"")))
                        .memoryOf("boss/writer"))));

        List<DueThread> due = memory.due(0, 9);

        assertEquals(2, due.size());
        assertEquals(new DueThread(due.get(0).id(), Store.LOCAL, "t", ANN, "boss"), due.get(0));
        assertEquals(new DueThread(due.get(1).id(), Store.LOCAL, "u", inner, "boss/writer"), due.get(1));
        assertTrue(due.get(0).id() > 0);
    }

    /** The clock of a process may be ahead of the store's, or may have been set back since. */
    @Test
    default void anAppendMakesAThreadDueAtOnceWhateverItsTime() {
        say(store(), "t", ANN, 1, "boss", FAR);

        assertEquals(List.of("t"), due());
    }

    @Test
    default void anAppendMakesAThreadDueAlthoughItsMessagesAreThere() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        store().appendToThread(
                        new ThreadAppend("t", ANN, null, null, List.of(new ThreadEntry("m0", "\"x\"")))
                                .memoryOf("boss"),
                        START);

        assertEquals(List.of("t"), due());
        assertEquals(1, store().findThread("t").orElseThrow().length());
        assertEquals("boss", memory.due(0, 9).getFirst().agentPath());
    }

    @Test
    default void aLaterAppendWithoutMemoryLeavesItDue() {
        say(store(), "t", ANN, 1, "boss", START);
        say(store(), "t", ANN, 1);

        assertEquals(List.of("t"), due());
    }

    @Test
    default void dueThreadsOfAllTenantsAreReadPageByPage() {
        MemoryStore memory = memory();
        List<String> tenants = List.of("zoo", Store.LOCAL, "acme");
        for (int i = 0; i < 9; i++) {
            say(store().forTenant(tenants.get(i % 3)), "t" + i, ANN, 1, "boss", START);
        }

        List<DueThread> pages = new ArrayList<>();
        List<DueThread> page = memory.due(0, 4);
        while (!page.isEmpty()) {
            pages.addAll(page);
            page = memory.due(page.getLast().id(), 4);
        }

        assertEquals(pages, store().forTenant("acme").memory().orElseThrow().due(0, 100));
        assertEquals(
                List.of("t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"),
                pages.stream().map(DueThread::threadId).sorted().toList());
        for (DueThread thread : pages) {
            assertEquals(tenants.get(Integer.parseInt(thread.threadId().substring(1)) % 3), thread.tenantId());
        }
        assertEquals(
                pages.stream().map(DueThread::id).sorted().distinct().toList(),
                pages.stream().map(DueThread::id).toList());
        assertEquals(List.of(), memory.due(0, 0));
    }

    @Test
    default void oneOfTwoWorkersHasAThread() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1, "boss", START);
        say(store(), "u", ANN, 1, "boss", START);

        assertTrue(memory.take(ANN, "t", "one", LEASE));
        assertFalse(memory.take(ANN, "t", "two", LEASE));
        assertTrue(memory.take(ANN, "t", "one", LEASE), "renewed");
        assertFalse(memory.take(ANN, "t", "two", LEASE));

        assertEquals(List.of("u"), due());
        assertTrue(memory.take(ANN, "u", "two", LEASE));
        assertEquals(List.of(), due());
        assertFalse(memory.take(ANN, "missing", "one", LEASE));
    }

    @Test
    default void aThreadWhoseLeaseIsOverIsFree() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1, "boss", START);
        assertTrue(memory.take(ANN, "t", "one", OVER));

        assertEquals(List.of("t"), due());
        assertTrue(memory.take(ANN, "t", "two", LEASE));
        assertFalse(memory.take(ANN, "t", "one", LEASE));
        memory.giveBack(ANN, "t", "one", 1, null);
        assertFalse(memory.take(ANN, "t", "one", LEASE), "giving back what it has lost changes nothing");

        assertTrue(memory.take(ANN, "t", "two", OVER), "a renewal may be shorter");
        assertEquals(List.of("t"), due());
        assertTrue(memory.take(ANN, "t", "one", Duration.ofSeconds(Long.MAX_VALUE)));
        assertFalse(memory.take(ANN, "t", "two", LEASE));
    }

    @Test
    default void aThreadIsNotDueWhenItsWorkIsDone() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2, "boss", START);
        assertTrue(memory.take(ANN, "t", "one", LEASE));

        memory.giveBack(ANN, "t", "one", 2, null);

        assertEquals(List.of(), due());
        assertTrue(memory.take(ANN, "t", "two", LEASE), "but free");
        memory.giveBack(ANN, "t", "two", 2, null);
        say(store(), "t", ANN, 1, "writer", START);
        assertEquals("writer", memory.due(0, 9).getFirst().agentPath());
    }

    @Test
    default void aThreadThatHasGrownMeanwhileStaysDue() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2, "boss", START);
        assertTrue(memory.take(ANN, "t", "one", LEASE));
        say(store(), "t", ANN, 1, "boss", START);

        memory.giveBack(ANN, "t", "one", 2, null);
        assertEquals(List.of("t"), due());

        assertTrue(memory.take(ANN, "t", "two", LEASE));
        memory.giveBack(ANN, "t", "two", 2, FAR);
        assertEquals(List.of("t"), due());
        assertTrue(memory.take(ANN, "t", "two", LEASE));
        memory.giveBack(ANN, "t", "two", 3, null);
        assertEquals(List.of(), due());
    }

    @Test
    default void aThreadIsDueAgainWhenItsWorkerSaysSo() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1, "boss", START);
        assertTrue(memory.take(ANN, "t", "one", LEASE));
        memory.giveBack(ANN, "t", "one", 1, FAR);
        assertEquals(List.of(), due(), "not yet");

        assertTrue(memory.take(ANN, "t", "one", LEASE));
        memory.giveBack(ANN, "t", "one", 1, START);
        assertEquals(List.of("t"), due());

        assertTrue(memory.take(ANN, "t", "one", LEASE));
        memory.giveBack(ANN, "t", "one", 1, FAR);
        say(store(), "t", ANN, 1, "boss", START);
        assertEquals(List.of("t"), due(), "an append makes it due at once");
    }

    @Test
    default void whoDoesNotHaveAThreadCannotGiveItBack() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1, "boss", START);
        memory.giveBack(ANN, "t", "one", 1, null);
        memory.giveBack(ANN, "missing", "one", 0, null);
        assertEquals(List.of("t"), due());

        assertTrue(memory.take(ANN, "t", "one", LEASE));
        memory.giveBack(ANN, "t", "two", 1, null);
        assertFalse(memory.take(ANN, "t", "two", LEASE));
    }

    @Test
    default void aDeletedThreadIsNotDueAndACopyIsDueAsItsSource() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1, "boss", START);
        say(store(), "quiet", BOB, 1);
        assertTrue(memory.take(ANN, "t", "one", LEASE));
        assertTrue(store().copyThread(
                        "t", 1, ThreadRecord.builder("copy", ANN, START).build()));
        assertTrue(store().copyThread(
                        "quiet",
                        1,
                        ThreadRecord.builder("quiet copy", BOB, START).build()));

        assertEquals(List.of("copy"), due());
        assertEquals("boss", memory.due(0, 9).getFirst().agentPath());
        assertTrue(store().deleteThread("copy", ANN));
        assertTrue(store().deleteThread("t", ANN));
        say(store(), "t", ANN, 1);
        assertEquals(List.of(), due());
        assertTrue(memory.take(ANN, "t", "two", LEASE));
    }

    @Test
    default void aThreadStaysDueWhenTheRunIsDeleted() {
        say(store(), "t", ANN, 1, "boss", START);
        RunRecord run = RunRecord.builder(new RunId("r"), "boss", "process-1", START)
                .threadId("t")
                .build();
        store().append(Append.start(run, List.of(FactEntry.of("Answered", 1, "\"x\"")))
                .status(RunStatus.COMPLETED));
        int ignored = store().delete(new Deletion.EndedRuns(FAR, 9));

        assertEquals(List.of("t"), due());
    }

    private List<String> due() {
        return memory().due(0, 9).stream().map(DueThread::threadId).toList();
    }
}
