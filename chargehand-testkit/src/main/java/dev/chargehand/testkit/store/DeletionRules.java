package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.ids;
import static dev.chargehand.testkit.store.Samples.message;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.background.TaskLink;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.testkit.store.Samples.HasStore;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages of threads, and all that belongs to a thread or a resource, are deleted, and nothing else is. */
interface DeletionRules extends HasStore {

    /** A text that no store keeps in its row. */
    String LONG = '"' + "0123456789abcdef".repeat(5_000) + '"';

    /** The thread of the nested run of {@link #aTreeOn}. */
    private static String threadOfChild(String run) {
        return "thread-of-c of " + run;
    }

    @Test
    default void aDeletedMessageLeavesItsPlaceToNoOther() {
        say(store(), "r", toThread("t", ANN, "m0", "m1", "m2", "m3", "m4"));

        assertEquals(2, deleteMessages("t", ANN, "m1", "m3", "missing"));

        assertEquals(List.of("m0", "m2", "m4"), messageIds(store(), "t", ANN));
        assertEquals(List.of(0L, 2L, 4L), positions(store().readThreadFrom("t", ANN, 0, 9)));
        assertEquals(List.of("m2", "m4"), ids(store().readThreadFrom("t", ANN, 1, 2)));
        assertEquals(List.of("m0", "m2"), ids(store().readThread("t", ANN, 4, 2)), "the last two before position 4");
        assertEquals(5, store().findThread("t").orElseThrow().length());
        assertEquals(0, deleteMessages("t", ANN, "m1", "m3"), "they are deleted already");

        say(store(), "s", toThread("t", ANN, "m3", "m5"));
        assertEquals(List.of("m0", "m2", "m4", "m5"), messageIds(store(), "t", ANN));
        assertEquals(List.of(4L, 5L), positions(store().readThreadFrom("t", ANN, 3, 9)));
    }

    @Test
    default void aDeletedLongTextStaysOnlyWhereItIsStillUsed() {
        for (String thread : List.of("t", "u")) {
            say(
                    store(),
                    "r " + thread,
                    new ThreadAppend(thread, ANN, null, null, List.of(new ThreadEntry("m0", LONG), message("m1"))));
        }

        assertEquals(1, deleteMessages("t", ANN, "m0"));
        assertEquals(List.of("m1"), messageIds(store(), "t", ANN));
        assertEquals(LONG, store().readThreadFrom("u", ANN, 0, 1).getFirst().text());

        assertEquals(1, deleteMessages("u", ANN, "m0"));
        say(store(), "s", new ThreadAppend("v", ANN, null, null, List.of(new ThreadEntry("m0", LONG))));
        assertEquals(LONG, store().readThreadFrom("v", ANN, 0, 1).getFirst().text());
    }

    @Test
    default void aCopyHasTheMessagesThatWereThere() {
        say(store(), "r", toThread("t", ANN, "m0", "m1", "m2", "m3"));
        assertEquals(1, deleteMessages("t", ANN, "m1"));

        assertTrue(
                store().copyThread("t", 3, ThreadRecord.builder("u", ANN, START).build()));
        assertEquals(1, deleteMessages("t", ANN, "m2"));

        assertEquals(List.of("m0", "m2"), messageIds(store(), "u", ANN));
        assertEquals(3, store().findThread("u").orElseThrow().length());
        say(store(), "s", toThread("u", ANN, "m1", "m4"));
        assertEquals(List.of(0L, 2L, 3L), positions(store().readThreadFrom("u", ANN, 0, 9)));
    }

    @Test
    default void theFirstWordsOfADeletedInputGoWithIt() {
        for (String run : List.of("r", "s")) {
            store().append(with(onThread(run, "t", ANN), toThread("t", ANN, run + ".input.0"))
                    .summary(RunSummary.of("agent", "words of " + run).step(3)));
            end(run, 1);
        }
        store().append(onThread("other", "u", ANN).summary(RunSummary.of("agent", "other words")));

        assertEquals(
                1,
                store().delete(new Deletion.MessagesOfThread(
                        "t", ANN, Set.of("r.input.0"), Set.of(id("r"), id("other"), id("missing")))));

        assertEquals(Optional.of(RunSummary.of("agent", "").step(3)), summary("r"));
        assertEquals("words of s", summary("s").orElseThrow().firstWords());
        assertEquals("other words", summary("other").orElseThrow().firstWords(), "a run of another thread");
    }

    @Test
    default void aTitleFromMessagesGoesWithThem() {
        for (TitleSource source : TitleSource.values()) {
            String thread = "thread with a title of " + source;
            assertTrue(store().createThread(ThreadRecord.builder(thread, ANN, START)
                    .title("Quokkas", source)
                    .build()));
            say(store(), "r " + source, toThread(thread, ANN, "m0", "m1"));
            assertEquals(0, deleteMessages(thread, ANN, "missing"));
            assertEquals(
                    Optional.of("Quokkas"),
                    store().findThread(thread).orElseThrow().title());

            assertEquals(1, deleteMessages(thread, ANN, "m0"));

            ThreadRecord left = store().findThread(thread).orElseThrow();
            boolean stays = source == TitleSource.USER;
            assertEquals(stays ? Optional.of("Quokkas") : Optional.empty(), left.title());
            assertEquals(stays ? Optional.of(source) : Optional.empty(), left.titleSource());
        }
    }

    @Test
    default void whatAnOpenRunUsesStays() {
        for (RunStatus status : List.of(RunStatus.RUNNING, RunStatus.SUSPENDED, RunStatus.PENDING)) {
            String thread = "thread of " + status;
            store().append(with(onThread("ended " + status, thread, ANN), toThread(thread, ANN, "m"))
                    .status(RunStatus.COMPLETED));
            store().append(onThread("open " + status, thread, ANN).status(status));

            for (Deletion what : List.of(
                    new Deletion.MessagesOfThread(thread, ANN, Set.of("m"), Set.of()),
                    new Deletion.RunsOfThread(thread, ANN, 9),
                    new Deletion.OneThread(thread, ANN),
                    new Deletion.RunsOfResource("ann", 9),
                    new Deletion.ThreadsOfResource("ann", 9))) {
                ThreadBusyException busy = assertThrows(ThreadBusyException.class, () -> store().delete(what));
                assertEquals("resource-busy", busy.code(), what.toString());
                assertEquals("open " + status, busy.runId());
            }
            assertEquals(List.of("m"), messageIds(store(), thread, ANN));
            assertTrue(store().find(id("ended " + status)).isPresent());
            store().append(Append.to(id("open " + status), 1, 1, List.of(), RunStatus.ABORTED, START));
        }
    }

    @Test
    default void theThreadOfANestedRunStaysWhileThatIsOpen() {
        store().append(onThread("r", "t", ANN));
        store().append(with(start(child("c", "r"), facts(1)), toThread("thread-of-c", ofWriter("ann"), "m")));

        assertThrows(ThreadBusyException.class, () -> store().deleteThread("thread-of-c", ofWriter("ann")));
    }

    @Test
    default void theRunsOfAThreadAreDeletedWithTheThreadsOfTheirNestedRuns() {
        aTreeOn("t", "r1", ANN);
        aTreeOn("t", "r2", ANN);
        aTreeOn("u", "other", ANN);
        aTreeOn("t2", "bobs", BOB);

        assertEquals(1, store().delete(new Deletion.RunsOfThread("t", ANN, 1)));
        assertEquals(1, store().delete(new Deletion.RunsOfThread("t", ANN, 9)));
        assertEquals(0, store().delete(new Deletion.RunsOfThread("t", ANN, 9)));

        assertEquals(Set.of("other", "c of other", "bobs", "c of bobs"), Set.copyOf(runs()));
        assertEquals(Optional.empty(), store().findThread(threadOfChild("r1")));
        assertEquals(Optional.empty(), store().findThread(threadOfChild("r2")));
        assertTrue(store().findThread(threadOfChild("other")).isPresent());
        assertEquals(List.of("m of r1", "m of r2"), messageIds(store(), "t", ANN));
    }

    /** Also while only a task is open that a task of the thread has started. */
    @Test
    default void anOpenTaskKeepsTheThreadThatReceivesItsResult() {
        aTreeOn("t", "r", ANN);
        aTaskOf("t", "task", "r", ANN);
        isKeptBy("task");
        aTaskOf("thread of task", "its task", "task", ANN);
        end("task", 1);
        isKeptBy("its task");
        assertEquals(List.of("m of r"), messageIds(store(), "t", ANN));
        assertEquals(Set.of("r", "c of r", "task", "its task"), Set.copyOf(runs()));

        end("its task", 1);
        assertTrue(store().deleteThread("t", ANN));
    }

    private void isKeptBy(String task) {
        for (Deletion what : List.of(
                new Deletion.MessagesOfThread("t", ANN, Set.of("m of r"), Set.of()),
                new Deletion.RunsOfThread("t", ANN, 9),
                new Deletion.OneThread("t", ANN),
                new Deletion.ThreadsOfResource("ann", 9))) {
            ThreadBusyException busy = assertThrows(ThreadBusyException.class, () -> store().delete(what));
            assertEquals("resource-busy", busy.code(), what.toString());
            assertEquals(task, busy.runId());
        }
    }

    @Test
    default void theTasksOfAThreadAreDeletedWithItsRuns() {
        aTreeOn("t", "r", ANN);
        aTaskOf("t", "task", "r", ANN);
        end("task", 1);
        aTaskOf("thread of task", "its task", "task", ANN);
        end("its task", 1);
        aTreeOn("u", "other", ANN);
        aTaskOf("u", "task of other", "other", ANN);
        aTaskOf("t", "bobs", "missing", BOB);
        end("bobs", 1);

        for (int left = 3; left > 0; left--) {
            assertEquals(1, store().delete(new Deletion.RunsOfThread("t", ANN, 1)));
        }
        assertEquals(0, store().delete(new Deletion.RunsOfThread("t", ANN, 9)));

        assertEquals(Set.of("other", "c of other", "task of other", "bobs"), Set.copyOf(runs()));
        assertEquals(Optional.empty(), store().findThread("thread of task"));
        assertEquals(Optional.empty(), store().findThread("thread of its task"));
        assertTrue(store().findThread("thread of task of other").isPresent());
        assertEquals(List.of("m of r"), messageIds(store(), "t", ANN));
    }

    @Test
    default void oneRunIsDeletedWithItsTreeAndNothingElse() {
        aTreeOn("t", "r1", ANN);
        aTreeOn("t", "r2", ANN);
        store().append(onThread("open", "u", ANN));

        assertEquals(0, store().delete(new Deletion.OneRun(id("c of r1"))));
        assertEquals(0, store().delete(new Deletion.OneRun(id("open"))));
        assertEquals(0, store().delete(new Deletion.OneRun(id("missing"))));
        assertEquals(1, store().delete(new Deletion.OneRun(id("r1"))));
        assertEquals(0, store().delete(new Deletion.OneRun(id("r1"))));

        assertEquals(Set.of("r2", "c of r2", "open"), Set.copyOf(runs()));
        assertEquals(List.of("m of r1", "m of r2"), messageIds(store(), "t", ANN));
        assertTrue(store().findThread(threadOfChild("r1")).isPresent());
    }

    @Test
    default void aRunWithANestedRunThatIsOpenStays() {
        store().append(onThread("r", "t", ANN));
        store().append(start(child("c", "r"), facts(1)));
        store().append(Append.to(id("r"), 1, 1, List.of(), RunStatus.ABORTED, START));

        assertEquals(0, store().delete(new Deletion.OneRun(id("r"))));
        assertEquals(Set.of("r", "c"), Set.copyOf(runs()));
    }

    @Test
    default void runsOfAnotherOwnerOfAMissingThreadStay() {
        aTreeOn("t", "r", ANN);
        assertTrue(store().deleteThread("t", ANN));

        assertEquals(0, store().delete(new Deletion.RunsOfThread("t", BOB, 9)));
        assertEquals(0, store().delete(new Deletion.RunsOfThread("t", new ThreadOwner(null, null), 9)));
        assertEquals(1, store().delete(new Deletion.RunsOfThread("t", ANN, 9)));
    }

    @Test
    default void whatBelongsToAResourceIsDeleted() {
        aTreeOn("t", "r1", ANN);
        aTreeOn("u", "r2", ANN);
        aTreeOn("v", "bobs", BOB);
        aTreeOn("w", "nobodys", new ThreadOwner(null, null));

        assertEquals(1, store().delete(new Deletion.RunsOfResource("ann", 1)));
        assertEquals(1, store().delete(new Deletion.RunsOfResource("ann", 9)));
        assertEquals(0, store().delete(new Deletion.RunsOfResource("ann", 9)));
        assertEquals(Set.of("bobs", "c of bobs", "nobodys", "c of nobodys"), Set.copyOf(runs()));

        assertEquals(3, store().delete(new Deletion.ThreadsOfResource("ann", 3)));
        assertEquals(1, store().delete(new Deletion.ThreadsOfResource("ann", 3)));
        assertEquals(0, store().delete(new Deletion.ThreadsOfResource("ann", 3)));
        for (String run : List.of("r1", "r2")) {
            assertEquals(Optional.empty(), store().findThread(threadOfChild(run)));
        }
        assertEquals(List.of("m of bobs"), messageIds(store(), "v", BOB));
        assertTrue(store().findThread(threadOfChild("bobs")).isPresent());
        assertTrue(store().findThread("w").isPresent());
        assertEquals(0, store().delete(new Deletion.Remains()));
    }

    @Test
    default void aTenantDeletesNothingOfAnother() {
        aTreeOn("t", "r", ANN);
        Store acme = store().forTenant("acme");
        for (Deletion what : List.of(
                new Deletion.MessagesOfThread("t", ANN, Set.of("m of r"), Set.of(id("r"))),
                new Deletion.OneRun(id("r")),
                new Deletion.RunsOfThread("t", ANN, 9),
                new Deletion.OneThread("t", ANN),
                new Deletion.RunsOfResource("ann", 9),
                new Deletion.ThreadsOfResource("ann", 9))) {
            assertEquals(0, acme.delete(what), what.toString());
        }
        assertEquals(List.of("m of r"), messageIds(store(), "t", ANN));
        assertEquals(2, runs().size());
    }

    @Test
    default void aThreadOfAnotherOwnerIsNotTouched() {
        aTreeOn("t", "r", ANN);
        for (Deletion what : List.of(
                new Deletion.MessagesOfThread("t", BOB, Set.of("m of r"), Set.of(id("r"))),
                new Deletion.RunsOfThread("t", BOB, 9),
                new Deletion.OneThread("t", BOB))) {
            assertThrows(ThreadOwnershipException.class, () -> store().delete(what), what.toString());
        }
        assertEquals(List.of("m of r"), messageIds(store(), "t", ANN));
        assertEquals(2, runs().size());
    }

    private int deleteMessages(String thread, ThreadOwner owner, String... messages) {
        return store().delete(new Deletion.MessagesOfThread(thread, owner, Set.of(messages), Set.of()));
    }

    /** Make an ended run on a thread with a message, and a nested run with a thread of its own. */
    private void aTreeOn(String thread, String run, ThreadOwner owner) {
        String below = "c of " + run;
        RunRecord nested = child(below, run);
        store().append(with(onThread(run, thread, owner), toThread(thread, owner, "m of " + run)));
        store().append(with(
                start(nested, facts(1)), toThread(threadOfChild(run), ofWriter(owner.resourceId()), "m of " + below)));
        store().append(List.of(
                Append.to(id(run), 1, 1, List.of(), RunStatus.COMPLETED, START),
                Append.to(id(below), 1, 1, List.of(), RunStatus.COMPLETED, START)
                        .rootRunId(id(run))));
    }

    /** Make an attempt of a task that has not ended, with a thread of its own; it is a later one, which starts after its origin has ended. */
    private void aTaskOf(String thread, String task, String origin, ThreadOwner owner) {
        RunRecord record = RunRecord.builder(id(task), "writer", "process-1", START)
                .threadId("thread of " + task)
                .resourceId(owner.resourceId())
                .task(new TaskLink(id(task), id(origin), "call", thread, 2))
                .build();
        store().append(with(
                start(record, facts(1)), toThread("thread of " + task, ofWriter(owner.resourceId()), "m of " + task)));
    }

    private static ThreadOwner ofWriter(@Nullable String resource) {
        return new ThreadOwner(resource, "boss/writer");
    }

    private static Append onThread(String run, String thread, ThreadOwner owner) {
        RunRecord root = root(run);
        return start(
                RunRecord.builder(id(run), root.agentId(), root.owner(), START)
                        .threadId(thread)
                        .resourceId(owner.resourceId())
                        .build(),
                facts(1));
    }

    private void end(String run, long length) {
        store().append(Append.to(id(run), 1, length, List.of(), RunStatus.COMPLETED, START));
    }

    private Optional<RunSummary> summary(String run) {
        return store().find(id(run)).flatMap(RunRecord::summary);
    }

    private List<String> runs() {
        return store().list(RunFilter.ALL.limit(1000)).stream()
                .map(RunRecord::runId)
                .map(RunId::value)
                .toList();
    }

    private static List<Long> positions(List<ThreadEntry> entries) {
        return entries.stream().map(ThreadEntry::position).toList();
    }
}
