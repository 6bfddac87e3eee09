package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of threads in a database that several processes use. */
@Timeout(120)
class ThreadCopiesTest {

    private static final ThreadOwner BOB = ThreadOwner.of("bob");
    private static final int ROUNDS = 8;

    @TempDir
    Path folder;

    private static ThreadRecord fresh(String thread, ThreadOwner owner) {
        return ThreadRecord.builder(thread, owner, Runs.START).build();
    }

    private static boolean copied(JdbcStore store, String thread, ThreadRecord copy) {
        return store.copyThread(new ThreadRecord.Source(thread, ANN), 3, copy);
    }

    /** One of the messages is too large for its row. */
    private static ThreadRecord say(JdbcStore store, String thread) {
        String large = "\"" + "x".repeat(50_000) + "\"";
        List<ThreadEntry> entries = List.of(message(large), message("\"a\""), message("\"b\""), message("\"c\""));
        return store.appendToThread(new ThreadAppend(thread, ANN, null, null, entries), Runs.START);
    }

    private static ThreadEntry message(String text) {
        return new ThreadEntry(UUID.randomUUID().toString(), text);
    }

    @ParameterizedTest
    @EnumSource
    void nothingOfADeletedThreadIsLeftInItsCopies(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore store = database.open()) {
            ThreadRecord source = say(store, "t");
            assertThat(copied(store, "t", fresh("copy", BOB))).isTrue();
            assertThat(source.length()).isEqualTo(4);
            String named = "SELECT count(*) FROM threads WHERE copy_of IS NOT NULL";
            assertThat(database.number(named)).isEqualTo(1);

            assertThat(store.delete(new Deletion.ThreadsOfResource("ann", 9))).isEqualTo(1);

            assertThat(database.number(named)).isZero();
            assertThat(database.number("SELECT count(*) FROM payloads")).isEqualTo(1);
            assertThat(store.deleteThread("copy", BOB)).isTrue();
            assertThat(database.number("SELECT count(*) FROM payloads")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoProcessesCopyAndDeleteAtOnce(Dialect dialect) throws Exception {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore one = database.open();
                JdbcStore two = database.open();
                ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < ROUNDS; round++) {
                String thread = "t" + round;
                ThreadRecord source = say(one, thread);
                assertThat(copied(one, thread, fresh(thread + " a", ANN))).isTrue();
                assertThat(copied(one, thread, fresh(thread + " b", ANN))).isTrue();
                assertThat(source.source()).isEmpty();
                List<Callable<Boolean>> work = List.of(
                        () -> copied(one, thread, fresh(thread + " new", BOB)),
                        () -> copied(two, thread, fresh(thread + " new", BOB)),
                        () -> two.deleteThread(thread, ANN),
                        () -> copied(one, thread + " a", fresh(thread + " of a", BOB)),
                        () -> two.deleteThread(thread + " b", ANN));
                List<Boolean> done = new ArrayList<>();
                for (Future<Boolean> each : all.invokeAll(work)) {
                    done.add(done(each));
                }

                assertThat(done.subList(2, 5)).containsOnly(true);
                assertThat(done.get(0) && done.get(1)).as("of one id").isFalse();
                assertThat(two.findThread(thread + " new").isPresent()).isEqualTo(done.get(0) || done.get(1));
                for (ThreadRecord copy : two.listThreads("bob", 0, 9)) {
                    assertThat(copy.copiedLength()).hasValue(3);
                    assertThat(two.readThread(copy.threadId(), BOB, Long.MAX_VALUE, 9))
                            .hasSize(3);
                    assertThat(copy.source().map(ThreadRecord.Source::threadId).orElse(thread + " a"))
                            .isEqualTo(thread + " a");
                }
                assertThat(one.findThread(thread + " a").orElseThrow().source()).isEmpty();
                assertThat(two.delete(new Deletion.ThreadsOfResource("bob", 9))).isPositive();
            }
        }
    }

    private static boolean done(Future<Boolean> work) throws Exception {
        try {
            return work.get();
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOfSatisfying(StoreException.class, failed -> assertThat(failed.kind())
                    .isEqualTo(StoreException.Kind.NOT_FOUND));
            return false;
        }
    }
}
