package dev.chargehand.testkit.store.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chargehand.store.Store;
import dev.chargehand.store.version.SavedVersion;
import dev.chargehand.store.version.VersionStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Versions of agents are saved, published and deleted, each tenant's on their own. */
public interface VersionRules {

    /** When versions are saved. */
    Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");

    /** How many workers there are. */
    int WORKERS = 8;

    /** How often they meet. */
    int ROUNDS = 50;

    /** Return the store that the running test is about. */
    Store store();

    /** Return whether the store keeps versions of agents; for one that does not, their rules are skipped. */
    default boolean hasVersions() {
        return true;
    }

    /** Return the versions of the store. */
    default VersionStore versions() {
        assumeTrue(hasVersions(), "The store keeps no versions.");
        return store().versions().orElseThrow();
    }

    private static List<Long> numbers(List<SavedVersion> versions) {
        return versions.stream().map(SavedVersion::number).toList();
    }

    @Test
    default void aSavedVersionIsTheLatestAndNotPublished() {
        VersionStore versions = versions();
        assertEquals(Optional.empty(), versions.latest("a"));
        assertEquals(Optional.empty(), versions.published("a"));
        assertEquals(Optional.empty(), versions.find("a", 1));
        assertEquals(List.of(), versions.list("a", Long.MAX_VALUE, 10));

        SavedVersion first = versions.save("a", "one: \u00e4 \ud83d\ude00\n\t", AT);
        assertEquals(new SavedVersion("a", 1, "one: \u00e4 \ud83d\ude00\n\t", AT, false, true), first);
        SavedVersion second = versions.save("a", "two", AT.plusSeconds(1));
        assertEquals(new SavedVersion("a", 2, "two", AT.plusSeconds(1), false, true), second);

        assertEquals(Optional.of(second), versions.latest("a"));
        assertEquals(Optional.of(second), versions.find("a", 2));
        assertEquals(Optional.of(new SavedVersion("a", 1, first.document(), AT, false, false)), versions.find("a", 1));
        assertEquals(Optional.empty(), versions.published("a"));
    }

    @Test
    default void theSameDocumentIsSavedOnceUntilAnotherIsSaved() {
        VersionStore versions = versions();
        SavedVersion first = versions.save("a", "one", AT);
        assertEquals(first, versions.save("a", "one", AT.plusSeconds(5)));
        assertTrue(versions.publish("a", 1));
        assertEquals(1, versions.save("a", "one", AT.plusSeconds(5)).number());
        assertEquals(2, versions.save("a", "one ", AT).number());
        assertEquals(3, versions.save("a", "one", AT).number());
        assertEquals(1, versions.save("b", "one", AT).number(), "of another agent");
    }

    @Test
    default void onePublishedVersionReplacesTheOther() {
        VersionStore versions = versions();
        assertFalse(versions.publish("a", 1));
        SavedVersion ignored = versions.save("a", "one", AT);
        ignored = versions.save("a", "two", AT);
        assertFalse(versions.publish("a", 3));
        assertFalse(versions.publish("b", 1));
        assertTrue(versions.publish("a", 2));
        assertTrue(versions.publish("a", 1));
        assertEquals(Optional.of(new SavedVersion("a", 1, "one", AT, true, false)), versions.published("a"));
        assertEquals(
                List.of(false, true),
                versions.list("a", Long.MAX_VALUE, 10).stream()
                        .map(SavedVersion::published)
                        .toList());
    }

    @Test
    default void versionsAreListedInPagesTheLastFirst() {
        VersionStore versions = versions();
        for (int i = 1; i <= 5; i++) {
            SavedVersion ignored = versions.save("a", "document " + i, AT);
            ignored = versions.save("b", "document " + i, AT);
        }
        assertEquals(List.of(5L, 4L), numbers(versions.list("a", Long.MAX_VALUE, 2)));
        assertEquals(List.of(3L, 2L), numbers(versions.list("a", 4, 2)));
        assertEquals(List.of(1L), numbers(versions.list("a", 2, 2)));
        assertEquals(List.of(), versions.list("a", 1, 2));
        assertEquals(List.of(), versions.list("a", Long.MAX_VALUE, 0));
    }

    @Test
    default void aNumberIsNotUsedAgainAndAPublishedVersionIsNotDeleted() {
        VersionStore versions = versions();
        SavedVersion ignored = versions.save("a", "one", AT);
        ignored = versions.save("a", "two", AT);
        assertTrue(versions.publish("a", 1));
        assertFalse(versions.delete("a", 1), "it is published");
        assertFalse(versions.delete("a", 3), "it is missing");
        assertTrue(versions.delete("a", 2));
        assertFalse(versions.delete("a", 2));
        assertEquals(Optional.empty(), versions.find("a", 2));
        assertEquals(Optional.of(1L), versions.latest("a").map(SavedVersion::number));
        assertEquals(3, versions.save("a", "two", AT).number());
        assertEquals(List.of(3L, 1L), numbers(versions.list("a", Long.MAX_VALUE, 10)));
    }

    @Test
    default void eachTenantHasItsOwnVersions() {
        VersionStore ours = versions();
        VersionStore theirs = store().forTenant("other").versions().orElseThrow();
        SavedVersion ignored = ours.save("a", "one", AT);
        ignored = ours.save("a", "two", AT);
        assertTrue(ours.publish("a", 2));
        assertEquals(Optional.empty(), theirs.latest("a"));
        assertEquals(Optional.empty(), theirs.published("a"));
        assertFalse(theirs.publish("a", 1));
        assertFalse(theirs.delete("a", 1));
        assertEquals(1, theirs.save("a", "three", AT).number());
        assertTrue(theirs.publish("a", 1));
        assertEquals(Optional.of("two"), ours.published("a").map(SavedVersion::document));
        assertEquals(Optional.of("three"), theirs.published("a").map(SavedVersion::document));
    }

    @Test
    default void aLongDocumentIsKeptAsItIs() {
        VersionStore versions = versions();
        String document = "a\u00e4\ud83d\ude00\n".repeat(50_000);
        SavedVersion ignored = versions.save("a", document, AT);
        assertEquals(Optional.of(document), versions.find("a", 1).map(SavedVersion::document));
        assertEquals(1, versions.save("a", document, AT).number());
    }

    @Test
    default void everySaverGetsANumberOfItsOwnAndOneDocumentOneNumber() throws Exception {
        VersionStore versions = versions();
        List<Long> numbers = together(
                worker -> () -> versions.save("a", "document " + worker, AT).number());
        assertEquals(
                LongStream.rangeClosed(1, WORKERS).boxed().toList(),
                numbers.stream().sorted().toList());
        assertEquals(WORKERS, versions.list("a", Long.MAX_VALUE, 100).size());

        numbers = together(worker -> () -> versions.save("b", "the same", AT).number());
        assertEquals(List.of(1L), numbers.stream().distinct().toList());
        assertEquals(List.of(1L), numbers(versions.list("b", Long.MAX_VALUE, 100)));
    }

    @Test
    default void ofAPublisherAndADeleterOfOneVersionOneSucceeds() throws Exception {
        VersionStore versions = versions();
        for (int round = 0; round < ROUNDS; round++) {
            String agent = "a" + round;
            SavedVersion ignored = versions.save(agent, "one", AT);
            List<Boolean> done =
                    together(worker -> () -> worker % 2 == 0 ? versions.publish(agent, 1) : versions.delete(agent, 1));
            boolean published = done.get(0);
            for (int worker = 2; worker < WORKERS; worker += 2) {
                published |= done.get(worker);
            }
            assertEquals(published, versions.published(agent).isPresent(), "published in round " + round);
            assertEquals(published, versions.find(agent, 1).isPresent(), "kept in round " + round);
        }
    }

    private static <T> List<T> together(IntFunction<Callable<T>> work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                Callable<T> each = work.apply(i);
                running.add(workers.submit(() -> {
                    start.await();
                    return each.call();
                }));
            }
            start.countDown();
            List<T> done = new ArrayList<>();
            for (Future<T> each : running) {
                done.add(each.get(1, TimeUnit.MINUTES));
            }
            return done;
        }
    }
}
