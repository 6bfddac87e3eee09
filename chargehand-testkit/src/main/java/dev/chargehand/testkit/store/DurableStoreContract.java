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
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.version.SavedVersion;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Proves a store that keeps what it holds when it is closed: all of {@link StoreContract}, and that what was stored
 * exists when it is opened again.
 *
 * <pre>{@code
 * class MyStoreTest extends DurableStoreContract {
 *     @TempDir Path folder;
 *
 *     @Override protected Store open() { return new MyStore(folder.resolve("runs")); }
 * }
 * }</pre>
 */
public abstract class DurableStoreContract extends StoreContract {

    @Test
    final void whatWasStoredIsThereWhenAStoreIsOpenedAgain() throws Exception {
        store().append(with(start("r", facts(3)), toThread("t", ANN, "m0", "m1")));
        store().claim(id("r"), 1, 3, "process-2");
        store().heartbeat("process-2", Duration.ofHours(1));

        openAgain();

        assertEquals(
                Optional.of(root("r").advanced(RunStatus.RUNNING, 3, START).claimed("process-2")),
                store().find(id("r")));
        assertEquals(List.of("\"fact 0\"", "\"fact 1\"", "\"fact 2\""), texts(store(), "r"));
        assertEquals(Optional.of(2L), store().findThread("t").map(ThreadRecord::length));
        assertEquals(List.of("m0", "m1"), messageIds(store(), "t", ANN));
        assertTrue(store().isAlive("process-2"));
    }

    @Test
    final void versionsAreThereWhenAStoreIsOpenedAgain() throws Exception {
        SavedVersion first = versions().save("a", "one", START);
        SavedVersion second = versions().save("a", "two", START);
        assertTrue(versions().publish("a", first.number()));
        assertTrue(versions().delete("a", second.number()));

        openAgain();

        assertEquals(Optional.of("one"), versions().published("a").map(SavedVersion::document));
        assertEquals(3, versions().save("a", "three", START).number());
    }

    @Test
    final void whatWasRefusedIsRefusedWhenAStoreIsOpenedAgain() throws Exception {
        store().append(with(start("r", facts(3)), toThread("t", ANN, "m0")));
        store().claim(id("r"), 1, 3, "process-2");

        openAgain();

        assertRefused(FENCED, () -> store().append(start("r", fact("x"))));
        assertRefused(FENCED, () -> store().append(more("r", 1, 3, fact("x"))));
        assertThrows(ThreadOwnershipException.class, () -> store().readThread("t", BOB, Long.MAX_VALUE, 1));
        store().append(with(more("r", 2, 3, fact("x")), toThread("t", ANN, "m0", "m1")));
        assertEquals(4, store().read(id("r"), 0).size());
        assertEquals(List.of("m0", "m1"), messageIds(store(), "t", ANN));
    }

    @Test
    final void largeTextsAreThereWhenAStoreIsOpenedAgain() throws Exception {
        FactEntry large = fact("x".repeat(1_000_000));
        ThreadEntry message = new ThreadEntry("m", large.text());
        store().append(with(start("r", large), new ThreadAppend("t", ANN, null, null, List.of(message))));

        openAgain();

        assertEquals(List.of(large.text()), texts(store(), "r"));
        assertEquals(List.of(message), Samples.said(store().readThread("t", ANN, Long.MAX_VALUE, 1)));
        store().append(more("r", 1, 1, large));
        assertEquals(List.of(large.text(), large.text()), texts(store(), "r"));
    }

    @Test
    final void aStoreMayBeClosedTwice() {
        store().append(start("r", facts(1)));

        store().close();
        store().close();
    }
}
