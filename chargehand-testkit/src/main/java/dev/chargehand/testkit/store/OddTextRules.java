package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.TreeFact;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.testkit.store.Samples.HasStore;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Any text and id is returned unchanged, and different ones remain different. */
interface OddTextRules extends HasStore {

    /** Neighbours in this list differ only in what a careless store overlooks. */
    List<String> ODD = List.of(
            "plain",
            "Plain",
            "plain ",
            "%",
            "_",
            "plai_",
            "' OR '1'='1",
            "\"; DROP TABLE runs; --",
            "back\\slash",
            ":name ? $1 ${x} <y>",
            "line\r\nbreak\ttab",
            "nul\0",
            "nul\0\0",
            "\u0001\u001f\u007f",
            "caf\u00e9",
            "cafe\u0301",
            "\u202eright to left\u202c",
            "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67",
            "\ud83d\ude00 \ud842\udfb7",
            "\ue000\uf8ff\udbff\udffd",
            "\ufeffmark\ufffe\uffff",
            "x".repeat(10_000),
            "\u65e5".repeat(10_000));

    @Test
    default void anyTextOfAFactIsKept() {
        store().append(start(
                "r",
                ODD.stream().map(odd -> FactEntry.of(odd, 1, '"' + odd + '"')).toArray(FactEntry[]::new)));

        assertEquals(ODD, store().read(id("r"), 0).stream().map(FactEntry::type).toList());
        assertEquals(ODD.stream().map(odd -> '"' + odd + '"').toList(), texts(store(), "r"));
    }

    @Test
    default void anyTextAndIdOfAMessageIsKept() {
        List<ThreadEntry> entries =
                ODD.stream().map(odd -> new ThreadEntry(odd, '"' + odd + '"')).toList();
        ThreadOwner owner = new ThreadOwner("ann", null);
        Samples.say(store(), "r", new ThreadAppend("t", owner, null, null, entries));

        assertEquals(entries, Samples.said(store().readThread("t", owner, Long.MAX_VALUE, 1000)));
    }

    @Test
    default void anyIdNamesOneRunOnly() {
        for (String odd : withoutBlank()) {
            store().append(start(oddRoot(odd), facts(1)));
            store().append(start(oddRecord(odd), facts(1)));
        }

        for (String odd : withoutBlank()) {
            RunRecord root = oddRoot(odd).advanced(RunStatus.RUNNING, 1, START.minusSeconds(1));
            RunRecord expected = oddRecord(odd).advanced(RunStatus.RUNNING, 1, START);
            assertEquals(Optional.of(expected), store().find(id(odd)));
            assertEquals(1, store().read(id(odd), 0).size());
            assertEquals(List.of(expected, root), store().list(RunFilter.ALL.tree(root.runId())));
            assertEquals(
                    List.of(root.runId(), id(odd)),
                    store().readTree(root.runId(), 0, 10).stream()
                            .map(TreeFact::runId)
                            .toList());
            assertEquals(List.of(expected), store().list(RunFilter.ALL.thread("thread " + odd)));
            assertEquals(List.of(expected), store().list(RunFilter.ALL.resource("resource " + odd)));
            assertEquals(odd, store().claim(root.runId(), 1, 1, odd).owner());
        }
    }

    @Test
    default void anyIdNamesOneThreadAndOneOwnerOnly() {
        for (String odd : ODD) {
            Samples.say(store(), "run " + odd, new ThreadAppend(odd, new ThreadOwner(odd, null), odd, odd, List.of()));
        }

        for (String odd : ODD) {
            assertEquals(
                    new ThreadOwner(odd, null),
                    store().findThread(odd).orElseThrow().owner());
            assertEquals(
                    List.of(odd),
                    store().listThreads(odd, 0, 100).stream()
                            .map(t -> t.threadId())
                            .toList());
        }
    }

    @Test
    default void anyIdNamesOneProcessOnly() {
        store().heartbeat("plain", Duration.ofHours(1));

        assertEquals(List.of("plain"), ODD.stream().filter(store()::isAlive).toList());
        ODD.forEach(odd -> store().heartbeat(odd, Duration.ofHours(1)));
        store().heartbeat("plain", Duration.ZERO);
        assertFalse(store().isAlive("plain"));
        assertTrue(ODD.stream().skip(1).allMatch(store()::isAlive));
    }

    @Test
    default void anyTextAndIdOfAMemoryIsKept() {
        store().memory().ifPresent(memory -> {
            for (String odd : ODD) {
                ThreadOwner owner = new ThreadOwner("resource " + odd, odd);
                VectorSpace space = new VectorSpace(odd, 1, 1);
                UnitVector vector = UnitVector.of(new float[] {1}).orElseThrow();
                String key = odd.substring(0, Math.min(odd.length(), MemoryStore.LONGEST_EDIT_KEY));
                var ignored = store().appendToThread(
                                new ThreadAppend(odd, owner, null, null, List.of(new ThreadEntry(odd, "\"x\"")))
                                        .memoryOf(odd),
                                START);

                assertTrue(memory.index(
                        owner,
                        odd,
                        space,
                        Optional.empty(),
                        IndexedRange.of(0, 1),
                        List.of(new Passage(0, 0, vector))));
                assertEquals(new WorkingMemoryEdit.Stored(1), memory.edit(owner, null, 0, key, odd, START));
                assertEquals(new WorkingMemoryEdit.Stored(1), memory.edit(owner, odd, 0, key, odd + odd, START));
                NewObservation observation = new NewObservation(0, 1, List.of(odd), "of " + odd, 1, START);
                assertEquals(OptionalLong.of(1), memory.observe(owner, odd, observation));
                assertEquals(OptionalLong.of(2), memory.reflect(owner, odd, new NewReflection(1, odd + "!", 1, START)));
                assertTrue(memory.take(owner, odd, odd, Duration.ofHours(1)));
                assertFalse(memory.take(owner, odd, odd + " ", Duration.ofHours(1)));
                memory.giveBack(owner, odd, odd, 0, null);
                assertEquals(
                        List.of(odd),
                        memory
                                .nearest(new PassageQuery(owner, space, vector, PassageQuery.Among.ALL, 9, 0))
                                .hits()
                                .stream()
                                .map(hit -> hit.threadId())
                                .toList());
            }
            List<String> agents =
                    memory.due(0, 100).stream().map(DueThread::agentPath).toList();
            assertEquals(ODD, agents);
            for (String odd : ODD) {
                ThreadOwner owner = new ThreadOwner("resource " + odd, odd);
                assertEquals(
                        odd, memory.workingMemory(owner, null).orElseThrow().text());
                assertEquals(
                        odd + odd,
                        memory.workingMemory(owner, odd).orElseThrow().text());
                assertEquals(List.of(odd), memory.observedThreads(owner, 9));
                assertEquals(
                        "of " + odd,
                        memory.observations(owner, odd, 1)
                                .observations()
                                .getFirst()
                                .text());
                assertEquals(
                        odd + "!",
                        memory.observations(owner, odd)
                                .observations()
                                .getFirst()
                                .text());
            }
        });
    }

    private static List<String> withoutBlank() {
        return ODD.stream().filter(odd -> !odd.isBlank()).toList();
    }

    private static RunRecord oddRoot(String odd) {
        return Samples.root("root " + odd, START.minusSeconds(1));
    }

    private static RunRecord oddRecord(String odd) {
        return RunRecord.builder(new RunId(odd), "agent " + odd, "owner " + odd, START)
                .rootRunId(new RunId("root " + odd))
                .parentRunId(new RunId("parent " + odd))
                .parentCallId("call " + odd)
                .path("path " + odd)
                .threadId("thread " + odd)
                .resourceId("resource " + odd)
                .build();
    }

    /** Keep the list honest: no two entries are the same text. */
    @Test
    default void theOddTextsAreDifferent() {
        assertEquals(ODD.size(), Stream.of(ODD.toArray()).distinct().count());
    }
}
