package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.assertFails;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.saying;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.store.RunFilter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SqliteCallsTest {

    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    @TempDir
    Path folder;

    @AutoClose
    private JdbcStore store;

    @Test
    void whatAnAppendReturnedFromIsThereForAnotherProcess() throws Exception {
        open(SqliteOptions.DEFAULT);
        store.append(saying(start("r", "{}"), "t", "m"));

        try (OtherProcess other = new OtherProcess(file())) {
            assertThat(other.count("facts")).isEqualTo(1);
            assertThat(other.count("thread_messages")).isEqualTo(1);
        }
    }

    @Test
    void anotherProcessWithTheLockFreezesNeitherVirtualThreadsNorReads() throws Exception {
        open(SqliteOptions.DEFAULT.callLimit(Duration.ofSeconds(30)));
        store.append(start("r", "{}"));
        try (OtherProcess other = new OtherProcess(file())) {
            other.lock();
            List<CompletableFuture<Void>> writes = new ArrayList<>();
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors() + 4; i++) {
                String run = "r" + i;
                writes.add(CompletableFuture.runAsync(() -> store.append(start(run, "{}")), THREADS));
            }

            assertThat(CompletableFuture.supplyAsync(() -> texts(store, "r"), THREADS)
                            .get(60, TimeUnit.SECONDS))
                    .hasSize(1);
            assertThat(writes).noneMatch(CompletableFuture::isDone);

            other.unlock();
            for (CompletableFuture<Void> write : writes) {
                write.get(60, TimeUnit.SECONDS);
            }
            assertThat(other.count("runs")).isEqualTo(writes.size() + 1L);
        }
    }

    @Test
    void anotherProcessThatKeepsTheLockIsNamedAsTheReason() throws Exception {
        open(SqliteOptions.DEFAULT.callLimit(Duration.ofSeconds(4)));
        try (OtherProcess other = new OtherProcess(file())) {
            other.lock();

            assertFails(Kind.FAILED, () -> store.append(start("r", "{}"))).hasMessageContaining("another process");

            other.unlock();
        }
        store.append(start("r", "{}"));
    }

    @Test
    void aCallThatWasNotStartedInTimeNeverHappens() throws Exception {
        open(SqliteOptions.DEFAULT.callLimit(Duration.ofMillis(200)));
        CountDownLatch go = occupyWriter();

        assertFails(Kind.TIMEOUT, () -> store.append(start("r", "{}"))).hasMessageContaining("was not started");

        go.countDown();
        Runs.untilInTime(() -> store.heartbeat("me", Duration.ofHours(1)));
        assertThat(count("runs")).isZero();
    }

    @Test
    void aCallThatWasStartedMayStillHappenAfterItsTime() throws Exception {
        open(SqliteOptions.DEFAULT.callLimit(Duration.ofMillis(200)));
        CountDownLatch go = new CountDownLatch(1);

        assertFails(
                        Kind.TIMEOUT,
                        () -> store.write(session -> {
                            Runs.await(go);
                            return session.execute(
                                    "INSERT INTO owners (owner, alive_until) VALUES ('late', 9999999999999)");
                        }))
                .hasMessageContaining("may still be stored");

        go.countDown();
        Runs.untilInTime(() -> store.heartbeat("me", Duration.ofHours(1)));
        assertThat(count("owners")).isEqualTo(2);
    }

    @Test
    void aFullQueueRefusesInTime() throws Exception {
        open(SqliteOptions.DEFAULT.callLimit(Duration.ofMillis(500)));
        CountDownLatch go = occupyWriter();
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            writes.add(CompletableFuture.runAsync(() -> store.heartbeat("me", Duration.ofHours(1)), THREADS));
        }

        for (CompletableFuture<Void> write : writes) {
            assertThat(write.handle((nothing, e) -> e.getCause()).get(60, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));
        }
        go.countDown();
        Runs.untilInTime(() -> store.heartbeat("me", Duration.ofHours(1)));
    }

    @Test
    void largeTextsThatGatheredAreWrittenInOneTransactionToo() throws Exception {
        open(SqliteOptions.DEFAULT);
        AtomicInteger commits = new AtomicInteger();
        store.write(session -> {
            session.watch(sql -> commits.addAndGet(sql.equals("COMMIT") ? 1 : 0));
            return null;
        });
        CountDownLatch go = occupyWriter();
        int before = commits.get();
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String run = "r" + i;
            String text = "x".repeat(20_000 + i / 2);
            writes.add(CompletableFuture.runAsync(() -> store.append(start(run, text)), THREADS));
        }
        writes.add(CompletableFuture.runAsync(() -> store.append(more("r", 1, "y".repeat(20_000))), THREADS));
        awaitQueued(11);

        go.countDown();

        for (CompletableFuture<Void> write : writes.subList(0, 10)) {
            write.get(60, TimeUnit.SECONDS);
        }
        assertThat(writes.getLast().handle((nothing, e) -> e.getCause()).get(60, TimeUnit.SECONDS))
                .isInstanceOf(StoreException.class);
        assertThat(commits.get() - before)
                .as("the one that kept the writer, and one for all")
                .isEqualTo(2);
        assertThat(count("payloads")).isEqualTo(5);
    }

    @Test
    void anInterruptedCallerGetsItsAnswerAndKeepsTheInterrupt() throws Exception {
        open(SqliteOptions.DEFAULT);
        CountDownLatch go = occupyWriter();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                store.append(start("r", "{}"));
                interrupted.complete(Thread.currentThread().isInterrupted());
            } catch (RuntimeException e) {
                interrupted.completeExceptionally(e);
            }
        });
        caller.interrupt();

        go.countDown();

        assertThat(interrupted.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(texts(store, "r")).hasSize(1);
    }

    @Test
    void closingFinishesWhatIsQueued() throws Exception {
        open(SqliteOptions.DEFAULT);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Object> first = CompletableFuture.supplyAsync(
                () -> store.write(session -> {
                    begun.countDown();
                    Runs.await(go);
                    return true;
                }),
                THREADS);
        begun.await();
        List<CompletableFuture<Void>> queued = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String run = "r" + i;
            queued.add(CompletableFuture.runAsync(() -> store.append(start(run, "{}")), THREADS));
        }
        awaitQueued(10);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(store::close, THREADS);
        go.countDown();

        closing.get(60, TimeUnit.SECONDS);
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(true);
        for (CompletableFuture<Void> write : queued) {
            write.get(60, TimeUnit.SECONDS);
        }
        assertThat(folder.resolve("store.db-wal")).doesNotExist();
        open(SqliteOptions.DEFAULT);
        assertThat(store.list(RunFilter.ROOTS)).hasSize(10);
    }

    @Test
    void anOwnerIsGoneWhenItsTimeIsOver() {
        AtomicReference<Instant> now = new AtomicReference<>(Runs.START);
        store = JdbcStore.sqlite(file(), SqliteOptions.DEFAULT.threadGrace(Duration.ZERO), now::get);

        store.heartbeat("me", Duration.ofSeconds(10));
        store.heartbeat("for ever", Duration.ofSeconds(Long.MAX_VALUE));
        now.set(Runs.START.plusSeconds(9));
        assertThat(store.isAlive("me")).isTrue();
        now.set(Runs.START.plusSeconds(10));
        assertThat(store.isAlive("me")).isFalse();
        assertThat(store.isAlive("for ever")).isTrue();

        store.heartbeat("another", Duration.ofSeconds(10));
        List<String> kept = store.read(session ->
                session.sql("SELECT owner FROM owners ORDER BY owner").list(row -> row.text(1)));
        assertThat(kept).containsExactly("another", "for ever");
    }

    @Test
    void aFailureDoesNotRepeatWhatWasWritten() throws Exception {
        open(SqliteOptions.DEFAULT);
        store.append(start("r", "{}"));
        try (OtherProcess other = new OtherProcess(file())) {
            other.execute("CREATE TRIGGER no BEFORE INSERT ON facts BEGIN SELECT RAISE(ABORT, 'no facts today'); END");

            assertFails(Kind.FAILED, () -> store.append(more("r", 1, "\"my password\"")))
                    .satisfies(e -> assertThat(org.assertj.core.util.Throwables.getStackTrace(e))
                            .contains("SQLITE_CONSTRAINT")
                            .doesNotContain("my password"));

            other.execute("DROP TRIGGER no");
        }
        store.append(more("r", 1, "{}"));
        assertThat(texts(store, "r")).hasSize(2);
    }

    private Path file() {
        return folder.resolve("store.db");
    }

    private void open(SqliteOptions options) {
        store = JdbcStore.sqlite(file(), options);
    }

    /** Keeps the writer busy until the latch opens; whoever asked for it has given up by then. */
    private CountDownLatch occupyWriter() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                store.write(session -> {
                    begun.countDown();
                    Runs.await(go);
                    return true;
                });
            } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(Kind.TIMEOUT);
            }
        });
        begun.await();
        return go;
    }

    private long count(String table) throws SQLException {
        try (OtherProcess other = new OtherProcess(file())) {
            return other.count(table);
        }
    }

    private void awaitQueued(int calls) {
        while (((SqliteDatabase) store.database()).queuedWrites() < calls) {
            Thread.onSpinWait();
        }
    }
}
