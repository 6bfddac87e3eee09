package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static dev.chargehand.testkit.store.memory.MemorySamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryEdit.Conflict;
import dev.chargehand.store.memory.WorkingMemoryEdit.Known;
import dev.chargehand.store.memory.WorkingMemoryEdit.Stored;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A working memory is a list of texts, each written once, by a writer that knew the one before. */
interface WorkingMemoryRules extends HasMemory {

    @Test
    default void eachEditIsTheNextRevision() {
        MemoryStore memory = memory();
        assertEquals(Optional.empty(), memory.workingMemory(ANN, null));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, null, 1));

        assertEquals(new Stored(1), memory.edit(ANN, null, 0, "first", "one", START));
        assertEquals(new Stored(2), memory.edit(ANN, null, 1, "second", "", START.plusSeconds(1)));

        assertEquals(
                Optional.of(new WorkingMemoryRevision(2, "", START.plusSeconds(1))), memory.workingMemory(ANN, null));
        assertEquals(Optional.of(new WorkingMemoryRevision(1, "one", START)), memory.workingMemory(ANN, null, 1));
        assertEquals(
                Optional.of(new WorkingMemoryRevision(2, "", START.plusSeconds(1))),
                memory.workingMemory(ANN, null, 2));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, null, 0));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, null, 3));
    }

    @Test
    default void whoKnowsAnotherRevisionChangesNothing() {
        MemoryStore memory = memory();
        assertEquals(new Conflict(0), edit(null, 3, "early"));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, null));
        assertEquals(new Stored(1), edit(null, 0, "first"));
        assertEquals(new Stored(2), edit(null, 1, "second"));

        assertEquals(new Conflict(2), edit(null, 1, "late"));
        assertEquals(new Conflict(2), edit(null, 0, "late"));
        assertEquals(new Conflict(2), edit(null, 3, "early"));

        assertEquals(Optional.of("text of second"), text(memory.workingMemory(ANN, null)));
        assertEquals(new Stored(3), edit(null, 2, "late"), "its key has not been used");
    }

    @Test
    default void anEditWithAKnownKeyChangesNothing() {
        MemoryStore memory = memory();
        assertEquals(new Stored(1), edit(null, 0, "first"));
        assertEquals(new Stored(2), edit(null, 1, "second"));

        assertEquals(new Known(1), memory.edit(ANN, null, 0, "first", "other", START));
        assertEquals(new Known(1), memory.edit(ANN, null, 2, "first", "other", START));
        assertEquals(new Known(2), memory.edit(ANN, null, 9, "second", "other", START));

        assertEquals(Optional.of("text of second"), text(memory.workingMemory(ANN, null)));
    }

    @Test
    default void theLastTextsAreKeptAndAllKeys() {
        MemoryStore memory = memory();
        int edits = WorkingMemoryRevision.KEPT + 5;
        for (int i = 0; i < edits; i++) {
            assertEquals(new Stored(i + 1), edit(null, i, "key " + i));
        }

        for (int i = 0; i < edits; i++) {
            Optional<String> expected = i < 5 ? Optional.empty() : Optional.of("text of key " + i);
            assertEquals(expected, text(memory.workingMemory(ANN, null, i + 1)), "revision " + (i + 1));
            assertEquals(new Known(i + 1), edit(null, edits, "key " + i));
        }
        assertEquals(Optional.of("text of key " + (edits - 1)), text(memory.workingMemory(ANN, null)));
    }

    @Test
    default void aKeyHasALength() {
        MemoryStore memory = memory();
        String longest = "\u65e5\0".repeat(MemoryStore.LONGEST_EDIT_KEY / 2);
        assertThrows(ConfigurationException.class, () -> edit(null, 0, ""));
        assertThrows(ConfigurationException.class, () -> edit(null, 0, longest + "x"));

        assertEquals(new Stored(1), edit(null, 0, longest));
        assertEquals(new Known(1), edit(null, 0, longest));
        assertEquals(new Stored(2), edit(null, 1, longest.substring(1) + "x"));
        assertEquals(2, memory.workingMemory(ANN, null).orElseThrow().revision());
    }

    @Test
    default void threadsAndTheirOwnerHaveTextsOfTheirOwn() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        say(store(), "u", ANN, 1);

        assertEquals(new Stored(1), edit(null, 0, "key"));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "t"));
        assertEquals(new Stored(1), memory.edit(ANN, "t", 0, "key", "of t", START));
        assertEquals(new Stored(2), memory.edit(ANN, "t", 1, "more", "of t again", START));
        assertEquals(new Stored(1), memory.edit(ANN, "u", 0, "key", "of u", START));

        assertEquals(Optional.of("text of key"), text(memory.workingMemory(ANN, null)));
        assertEquals(Optional.of("of t again"), text(memory.workingMemory(ANN, "t")));
        assertEquals(Optional.of("of t"), text(memory.workingMemory(ANN, "t", 1)));
        assertEquals(Optional.of("of u"), text(memory.workingMemory(ANN, "u")));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "u", 2));
    }

    @Test
    default void aMissingThreadHasNoText() {
        MemoryStore memory = memory();
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "t"));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "t", 1));
        StoreException missing = assertThrows(StoreException.class, () -> edit("t", 0, "key"));
        assertEquals(StoreException.Kind.NOT_FOUND, missing.kind());
        say(store(), "t", ANN, 1);
        assertEquals(new Stored(1), edit("t", 0, "key"));
    }

    @Test
    default void aDeletedThreadLeavesNoText() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        assertEquals(new Stored(1), edit("t", 0, "key"));
        assertEquals(new Stored(1), edit(null, 0, "key"));

        assertTrue(store().deleteThread("t", ANN));
        say(store(), "t", ANN, 1);

        assertEquals(Optional.empty(), memory.workingMemory(ANN, "t"));
        assertEquals(new Stored(1), edit("t", 0, "key"));
        assertEquals(Optional.of("text of key"), text(memory.workingMemory(ANN, null)));
    }

    @Test
    default void aCopyHasTheTextsOfItsThread() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        assertEquals(new Stored(1), edit("t", 0, "first"));
        assertEquals(new Stored(2), edit("t", 1, "second"));
        assertEquals(new Stored(1), edit(null, 0, "of all"));

        assertTrue(store().copyThread(
                        "t", 1, ThreadRecord.builder("copy", ANN, START).build()));
        assertEquals(new Stored(3), edit("t", 2, "third"));

        assertEquals(Optional.of("text of second"), text(memory.workingMemory(ANN, "copy")));
        assertEquals(Optional.of("text of first"), text(memory.workingMemory(ANN, "copy", 1)));
        assertEquals(new Known(1), edit("copy", 2, "first"));
        assertEquals(new Stored(3), edit("copy", 2, "fourth"));
        assertEquals(Optional.of("text of third"), text(memory.workingMemory(ANN, "t")));
    }

    @Test
    default void theTextsOfACopyBelongToItsOwner() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 2);
        say(store(), "bare", ANN, 2);
        assertEquals(new Stored(1), edit("t", 0, "first"));
        assertEquals(new Stored(1), edit(null, 0, "of all"));

        for (String thread : List.of("t", "bare")) {
            ThreadRecord copy = ThreadRecord.builder("of " + thread, BOB, START).build();
            assertTrue(store().copyThread(new ThreadRecord.Source(thread, ANN), 9, copy));
        }

        assertEquals(Optional.of("text of first"), text(memory.workingMemory(BOB, "of t")));
        assertEquals(Optional.empty(), memory.workingMemory(BOB, "of bare"));
        assertEquals(Optional.empty(), memory.workingMemory(BOB, null));
        assertThrows(ThreadOwnershipException.class, () -> memory.workingMemory(ANN, "of t"));
        assertEquals(Optional.of("text of first"), text(memory.workingMemory(ANN, "t")));
        assertTrue(store().deleteThread("t", ANN));
        assertEquals(Optional.of("text of first"), text(memory.workingMemory(BOB, "of t")));
    }

    @Test
    default void anAppendGivesAThreadTheWorkingMemoryOfAnother() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        for (int i = 0; i < WorkingMemoryRevision.KEPT + 3; i++) {
            assertEquals(new Stored(i + 1), edit("t", i, "key " + i));
        }

        append("fork", "t", 22);
        append("all", "t", 99);
        append("none", "t", 3);
        append("missing", "nobody", 22);

        assertEquals(Optional.of("text of key 21"), text(memory.workingMemory(ANN, "fork")));
        assertEquals(Optional.of("text of key 20"), text(memory.workingMemory(ANN, "fork", 21)));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "fork", 23));
        assertEquals(new Known(1), edit("fork", 22, "key 0"));
        assertEquals(new Stored(23), edit("fork", 22, "key 22"));
        assertEquals(Optional.of("text of key 22"), text(memory.workingMemory(ANN, "all")));
        assertEquals(new Stored(24), edit("all", 23, "more"));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "none"), "its text is not kept");
        assertEquals(Optional.empty(), memory.workingMemory(ANN, "missing"));
        assertEquals(new Stored(1), edit("none", 0, "key 0"));
        append("fork", "t", 22);
        assertEquals(23, memory.workingMemory(ANN, "fork").orElseThrow().revision(), "it has one");
        assertThrows(ThreadOwnershipException.class, () -> append(BOB, "other", "t", 22));
        assertEquals(Optional.empty(), store().findThread("other"), "nothing is stored");
        assertEquals(23, memory.workingMemory(ANN, "t").orElseThrow().revision());
    }

    private void append(String thread, String from, long revision) {
        append(ANN, thread, from, revision);
    }

    private void append(ThreadOwner owner, String thread, String from, long revision) {
        RunRecord run = RunRecord.builder(new RunId("run of " + thread + revision + from), "boss", "process-1", START)
                .build();
        List<ThreadAppend> threads = List.of(
                new ThreadAppend(thread, owner, null, null, List.of()).notes(new ThreadAppend.Notes(from, revision)));
        if (store().findThread(thread).isEmpty()) {
            store().append(Append.start(run, List.of(FactEntry.of("Answered", 1, "\"x\"")))
                    .threads(threads));
        } else {
            ThreadRecord ignored = store().appendToThread(threads.getFirst(), START);
        }
    }

    @Test
    default void aWorkingMemoryStaysWhenTheRunThatEditedItIsDeleted() {
        MemoryStore memory = memory();
        RunRecord run = RunRecord.builder(new RunId("r"), "boss", "process-1", START)
                .threadId("t")
                .resourceId("ann")
                .build();
        say(store(), "t", ANN, 1);
        store().append(Append.start(run, List.of(FactEntry.of("Answered", 1, "\"x\""))));
        assertEquals(new Stored(1), edit(null, 0, "r/call"));
        assertEquals(new Stored(1), edit("t", 0, "r/call"));
        store().append(Append.to(run.runId(), 1, 1, List.of(), RunStatus.COMPLETED, START));

        int ignored = store().delete(new Deletion.EndedRuns(Instant.parse("2999-01-01T00:00:00Z"), 9));

        assertEquals(Optional.empty(), store().find(run.runId()));
        assertEquals(Optional.of("text of r/call"), text(memory.workingMemory(ANN, null)));
        assertEquals(Optional.of("text of r/call"), text(memory.workingMemory(ANN, "t")));
    }

    @Test
    default void aRunEditsUntilItHasEnded() {
        MemoryStore memory = memory();
        RunId run = new RunId("r");
        store().append(Append.start(
                RunRecord.builder(run, "boss", "process-1", START)
                        .resourceId("ann")
                        .build(),
                List.of(FactEntry.of("Answered", 1, "\"x\""))));
        assertEquals(new Stored(1), memory.edit(ANN, null, 0, "r/1", "one", START, run));
        assertEquals(new Known(1), memory.edit(ANN, null, 0, "r/1", "one", START, run));
        assertFenced(() -> memory.edit(ANN, null, 1, "x/1", "of none", START, new RunId("missing")));
        MemoryStore other = store().forTenant("acme").memory().orElseThrow();
        assertFenced(() -> other.edit(ANN, null, 0, "r/1", "of another tenant", START, run));
        store().append(Append.to(run, 1, 1, List.of(), RunStatus.COMPLETED, START));

        assertFenced(() -> memory.edit(ANN, null, 1, "r/2", "late", START, run));

        assertEquals(Optional.of("one"), text(memory.workingMemory(ANN, null)));
        int deleted = store().delete(new Deletion.RunsOfResource("ann", 9))
                + store().delete(new Deletion.MemoryOfResource("ann"));
        assertEquals(2, deleted);
        assertFenced(() -> memory.edit(ANN, null, 0, "r/2", "late", START, run));
        assertEquals(Optional.empty(), memory.workingMemory(ANN, null));
    }

    private static void assertFenced(Executable edit) {
        assertEquals(
                StoreException.Kind.FENCED,
                assertThrows(StoreException.class, edit).kind());
    }

    private WorkingMemoryEdit edit(@Nullable String thread, long expected, String key) {
        return memory().edit(ANN, thread, expected, key, "text of " + key, START);
    }
}
