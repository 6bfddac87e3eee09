package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.ANN;
import static dev.chargehand.testkit.store.memory.MemorySamples.BOB;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.thread.ThreadOwner;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How many tokens memory has used is counted for the resource. */
interface UsageRules extends HasMemory {

    /** A day. */
    LocalDate DAY = LocalDate.parse("2026-01-02");

    private static MemoryUsage used(LocalDate day, MemoryUsage.Part part, String model, long input, long output) {
        return new MemoryUsage(day, part, model, new Usage(input, output, input / 2, output / 2));
    }

    private static MemoryUsage titles(LocalDate day, long tokens) {
        return used(day, MemoryUsage.Part.TITLES, "test/titles", tokens, 0);
    }

    private List<MemoryUsage> all(@Nullable String resourceId) {
        return memory().usage(resourceId, LocalDate.EPOCH);
    }

    @Test
    default void tokensAreAddedUpForEachDayPartAndModel() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        say(store(), "u", ANN, 1);
        MemoryUsage one = used(DAY, MemoryUsage.Part.EMBEDDINGS, "test/words", 10, 4);
        assertTrue(memory.addUsage(ANN, "t", one));
        assertTrue(memory.addUsage(ANN, "u", one));
        assertTrue(memory.addUsage(ANN, "t", used(DAY, MemoryUsage.Part.OBSERVATIONS, "test/words", 1, 0)));
        assertTrue(memory.addUsage(
                ANN, "t", used(DAY, MemoryUsage.Part.OBSERVATIONS, "test/other " + "x".repeat(9_000), 2, 0)));
        assertTrue(memory.addUsage(ANN, "t", titles(DAY.plusDays(1), 3)));
        assertTrue(memory.addUsage(ANN, "t", titles(DAY.minusDays(1), 4)));

        assertEquals(
                List.of(
                        titles(DAY.plusDays(1), 3),
                        used(DAY, MemoryUsage.Part.EMBEDDINGS, "test/words", 20, 8),
                        used(DAY, MemoryUsage.Part.OBSERVATIONS, "test/other " + "x".repeat(9_000), 2, 0),
                        used(DAY, MemoryUsage.Part.OBSERVATIONS, "test/words", 1, 0),
                        titles(DAY.minusDays(1), 4)),
                all("ann"));
        assertEquals(List.of(titles(DAY.plusDays(1), 3)), memory.usage("ann", DAY.plusDays(1)));
        assertEquals(4, memory.usage("ann", DAY).size());
    }

    @Test
    default void resourcesAndTenantsAreCountedApart() {
        MemoryStore memory = memory();
        ThreadOwner writer = new ThreadOwner("ann", "boss/writer");
        ThreadOwner missing = new ThreadOwner(null, null);
        ThreadOwner empty = new ThreadOwner("", null);
        List<ThreadOwner> owners = List.of(ANN, writer, BOB, missing, empty);
        for (int i = 0; i < owners.size(); i++) {
            say(store(), "t" + i, owners.get(i), 1);
            assertTrue(memory.addUsage(owners.get(i), "t" + i, titles(DAY, 1L << i)));
        }
        Store acme = store().forTenant("acme");
        say(acme, "t", ANN, 1);
        assertTrue(acme.memory().orElseThrow().addUsage(ANN, "t", titles(DAY, 100)));

        assertEquals(List.of(titles(DAY, 1 + 2)), all("ann"));
        assertEquals(List.of(titles(DAY, 4)), all("bob"));
        assertEquals(List.of(titles(DAY, 8)), all(null));
        assertEquals(List.of(titles(DAY, 16)), all(""));
        assertEquals(List.of(), all("nobody"));
        assertEquals(List.of(titles(DAY, 100)), acme.memory().orElseThrow().usage("ann", LocalDate.EPOCH));
    }

    @Test
    default void nothingIsCountedForAMissingThreadOrOneOfAnotherOwner() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);

        assertFalse(memory.addUsage(ANN, "missing", titles(DAY, 1)));
        assertThrows(ThreadOwnershipException.class, () -> memory.addUsage(BOB, "t", titles(DAY, 1)));

        assertEquals(List.of(), all("ann"));
        assertEquals(List.of(), all("bob"));
    }

    @Test
    default void aSumThatIsTooLargeStaysTheLargestNumber() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        MemoryUsage most = new MemoryUsage(
                DAY,
                MemoryUsage.Part.TITLES,
                "test/titles",
                new Usage(Long.MAX_VALUE, Long.MAX_VALUE, 1, Long.MAX_VALUE));
        for (int i = 0; i < 2; i++) {
            assertTrue(memory.addUsage(ANN, "t", most));
        }

        assertEquals(
                new Usage(Long.MAX_VALUE, Long.MAX_VALUE, 2, Long.MAX_VALUE),
                all("ann").getFirst().usage());
    }

    @Test
    default void whatWasUsedIsForgottenWithItsResource() {
        MemoryStore memory = memory();
        say(store(), "t", ANN, 1);
        say(store(), "b", BOB, 1);
        assertTrue(memory.addUsage(ANN, "t", titles(DAY, 1)));
        assertTrue(memory.addUsage(BOB, "b", titles(DAY, 2)));

        assertEquals(1, store().delete(new Deletion.ThreadsOfResource("ann", 9)));
        assertEquals(List.of(titles(DAY, 1)), all("ann"), "a deleted thread was paid for");
        assertEquals(0, store().delete(new Deletion.MemoryOfResource("ann")));
        assertFalse(memory.addUsage(ANN, "t", titles(DAY, 1)));

        assertEquals(List.of(), all("ann"));
        assertEquals(List.of(titles(DAY, 2)), all("bob"));
    }

    @Test
    default void whatWasUsedBeforeADayIsDeletedForAllTenants() {
        MemoryStore memory = memory();
        Store acme = store().forTenant("acme");
        say(store(), "t", ANN, 1);
        say(acme, "t", BOB, 1);
        for (int days = 0; days < 4; days++) {
            assertTrue(memory.addUsage(ANN, "t", titles(DAY.minusDays(days), 1)));
            assertTrue(acme.memory().orElseThrow().addUsage(BOB, "t", titles(DAY.minusDays(days), 1)));
        }

        assertEquals(0, store().delete(new Deletion.OldUsage(DAY.minusDays(3), 9)));
        assertEquals(0, store().delete(new Deletion.OldUsage(DAY, 0)));
        assertEquals(1, store().delete(new Deletion.OldUsage(DAY, 1)));
        assertEquals(5, store().delete(new Deletion.OldUsage(DAY, 9)));

        assertEquals(List.of(titles(DAY, 1)), all("ann"));
        assertEquals(List.of(titles(DAY, 1)), acme.memory().orElseThrow().usage("bob", LocalDate.EPOCH));
    }

    @Test
    default void tokensThatAreCountedAtTheSameTimeAreAllCounted() throws Exception {
        MemoryStore memory = memory();
        int workers = 6;
        int times = 20;
        for (int i = 0; i < workers; i++) {
            say(store(), "t" + i, ANN, 1);
        }
        CountDownLatch ready = new CountDownLatch(workers);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> done = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                String thread = "t" + i;
                done.add(executor.submit(() -> {
                    ready.countDown();
                    boolean added = ready.await(60, TimeUnit.SECONDS);
                    for (int time = 0; time < times; time++) {
                        added &= memory.addUsage(ANN, thread, titles(DAY, 2));
                    }
                    return added;
                }));
            }
            for (Future<Boolean> each : done) {
                assertTrue(each.get());
            }
        }

        assertEquals(List.of(titles(DAY, 2L * workers * times)), all("ann"));
    }
}
