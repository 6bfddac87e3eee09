package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static dev.chargehand.jdbc.Runs.assertFails;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.saying;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store says in the same words whichever database it has. */
class AnyDatabaseTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void aClosedStoreSaysSo(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder)) {
            JdbcStore store = database.open();
            MemoryStore memory = store.memory().orElseThrow();
            store.close();

            List<ThrowingCallable> calls = List.of(
                    () -> store.append(start("r", "{}")),
                    () -> store.read(new RunId("r"), 0),
                    () -> store.find(new RunId("r")),
                    () -> store.list(RunFilter.ROOTS),
                    () -> store.claim(new RunId("r"), 1, 1, "me"),
                    () -> store.delete(new Deletion.EndedRuns(Runs.START, 1)),
                    () -> store.heartbeat("me", Duration.ofHours(1)),
                    () -> store.isAlive("me"),
                    () -> store.findThread("t"),
                    () -> store.readThread("t", ANN, 0, 0),
                    () -> store.listThreads("ann", 0, 1),
                    () -> store.deleteThread("t", ANN),
                    () -> memory.due(0, 1),
                    () -> memory.take(ANN, "t", "me", Duration.ofHours(1)),
                    () -> memory.workingMemory(ANN, null),
                    () -> memory.edit(ANN, null, 0, "key", "text", Runs.START));
            for (ThrowingCallable call : calls) {
                assertFails(Kind.UNUSABLE, call)
                        .hasMessageContaining("is closed, perhaps with a runtime")
                        .hasMessageContaining("Open one for each runtime");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIdThatCannotBeWrittenIsRefusedAndNotTakenForAnother(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore store = database.open()) {
            MemoryStore memory = store.memory().orElseThrow();
            store.append(saying(start("r?", "{}"), "t?", "m"));

            List<ThrowingCallable> calls = List.of(
                    () -> store.append(start("r\ud800", "{}")),
                    () -> store.find(new RunId("r\udc00")),
                    () -> store.readThread("t\udc00", ANN, 9, 9),
                    () -> memory.workingMemory(new ThreadOwner("ann\ud800", null), null),
                    () -> memory.edit(ANN, null, 0, "key\ud800", "text", Runs.START),
                    () -> store.append(saying(more("r?", 1, "{}"), "t?", "m\ud800")));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call).isInstanceOf(ConfigurationException.class);
            }
            assertThat(texts(store, "r?")).hasSize(1);

            store.append(more("r?", 1, "\"half \ud800 a pair\""));
            assertThat(texts(store, "r?").getLast()).isEqualTo("\"half ? a pair\"");
        }
    }
}
