package dev.chargehand.testkit.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.function.Executable;

/** Short ways to write and read what the rules are about. */
final class Samples {

    static final Instant START = Instant.parse("2026-01-02T03:04:05.006Z");
    static final ThreadOwner ANN = new ThreadOwner("ann", null);
    static final ThreadOwner BOB = new ThreadOwner("bob", null);

    private Samples() {}

    /** A test about a store; a group of rules is an interface, so that the groups can be read one by one. */
    interface HasStore {

        /** Return the store that the running test is about. */
        Store store();
    }

    static RunId id(String value) {
        return new RunId(value);
    }

    static RunRecord root(String run) {
        return root(run, START);
    }

    static RunRecord root(String run, Instant startedAt) {
        return RunRecord.builder(id(run), "boss", "process-1", startedAt).build();
    }

    static RunRecord child(String run, String parent) {
        return RunRecord.builder(id(run), "writer", "process-1", START)
                .rootRunId(id(parent))
                .parentRunId(id(parent))
                .parentCallId("call-1")
                .path("boss/writer")
                .threadId("thread-of-" + run)
                .resourceId("ann")
                .build();
    }

    static Append start(RunRecord run, FactEntry... facts) {
        return Append.start(run, List.of(facts));
    }

    static Append start(String run, FactEntry... facts) {
        return start(root(run), facts);
    }

    static Append more(String run, long epoch, long expectedLength, FactEntry... facts) {
        return Append.to(
                id(run), epoch, expectedLength, List.of(facts), RunStatus.RUNNING, START.plusSeconds(expectedLength));
    }

    static Append with(Append append, ThreadAppend... threads) {
        return append.threads(List.of(threads));
    }

    static FactEntry fact(String text) {
        return FactEntry.of("Answered", 1, '"' + text + '"');
    }

    static FactEntry[] facts(int count) {
        return IntStream.range(0, count).mapToObj(i -> fact("fact " + i)).toArray(FactEntry[]::new);
    }

    static ThreadAppend toThread(String thread, ThreadOwner owner, String... messageIds) {
        return new ThreadAppend(
                thread,
                owner,
                null,
                null,
                Arrays.stream(messageIds).map(Samples::message).toList());
    }

    static ThreadEntry message(String id) {
        return new ThreadEntry(id, "{\"id\":\"" + id + "\"}");
    }

    /** Return messages as they were appended, without their places. */
    static List<ThreadEntry> said(List<ThreadEntry> entries) {
        return entries.stream()
                .map(entry -> new ThreadEntry(entry.messageId(), entry.text()))
                .toList();
    }

    /** Make a run only to append to a thread. */
    static void say(Store store, String run, ThreadAppend... threads) {
        store.append(with(start(run), threads));
    }

    static List<String> messageIds(Store store, String thread, ThreadOwner owner) {
        return ids(store.readThread(thread, owner, Long.MAX_VALUE, Integer.MAX_VALUE));
    }

    static List<String> ids(List<ThreadEntry> entries) {
        return entries.stream().map(ThreadEntry::messageId).toList();
    }

    static List<String> texts(Store store, String run) {
        return store.read(id(run), 0).stream().map(FactEntry::text).toList();
    }

    static void assertRefused(StoreException.Kind kind, Executable call) {
        assertEquals(kind, assertThrows(StoreException.class, call).kind());
    }
}
