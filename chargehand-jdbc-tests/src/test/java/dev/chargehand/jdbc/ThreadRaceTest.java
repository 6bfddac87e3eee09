package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.ThreadTaking;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes that want the same threads. */
@Timeout(300)
class ThreadRaceTest {

    private static final int ROUNDS = 150;
    private static final int CONTENDERS = 6;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void oneOfTheNewRunsOfTwoProcessesTakesAThread(Dialect dialect) throws Exception {
        try (Contest contest = new Contest(dialect, folder)) {
            contest.race((store, contender, round) ->
                    store.append(taking(runId(contender, round), threadOf(round), "process-" + contender)));

            for (int round = 0; round < ROUNDS; round++) {
                assertThat(contest.store(0).list(RunFilter.ALL.thread(threadOf(round))))
                        .hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneOfTheRunsThatTwoProcessesResumeTakesAThread(Dialect dialect) throws Exception {
        try (Contest contest = new Contest(dialect, folder)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int contender = 0; contender < CONTENDERS; contender++) {
                    contest.store(0).append(suspended(runId(contender, round), threadOf(round), contender));
                }
            }

            contest.race((store, contender, round) -> store.append(
                    Runs.more(runId(contender, round), 1, "\"resumed\"").takesThread(true)));

            for (int round = 0; round < ROUNDS; round++) {
                RunFilter running = RunFilter.ALL.thread(threadOf(round)).statuses(RunStatus.RUNNING);
                assertThat(contest.store(0).list(running)).hasSize(1);
            }
        }
    }

    @Test
    void aThreadIsFreeWhenTheTimeOfItsRunsOwnerIsOver() {
        AtomicReference<Instant> now = new AtomicReference<>(Runs.START);
        SqliteOptions options = SqliteOptions.DEFAULT.threadGrace(Duration.ZERO);
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"), options, now::get)) {
            store.heartbeat("process-1", Duration.ofSeconds(10));
            store.append(taking("first", "t", "process-1"));

            now.set(Runs.START.plusSeconds(9));
            assertThatThrownBy(() -> store.append(taking("second", "t", "process-2")))
                    .isInstanceOf(ThreadBusyException.class);
            now.set(Runs.START.plusSeconds(10));
            store.append(taking("second", "t", "process-2"));
        }
    }

    @Test
    void aThreadThatBecomesFreeBetweenTheAttemptAndTheQuestionIsTaken() {
        Postgres database = Postgres.store();
        RunId second = new RunId("second");
        ThreadTaking taking =
                new ThreadTaking(Dialect.POSTGRESQL, Store.LOCAL, session -> Instant.now(), Duration.ofMinutes(1));
        try (JdbcStore store = database.open();
                JdbcStore other = database.open()) {
            store.heartbeat("process-1", Duration.ofHours(1));
            store.append(taking("first", "t", "process-1"));
            store.append(taking("second", "t", "process-1").takesThread(false));
            List<String> asked = new ArrayList<>();

            store.write(session -> {
                session.watch(sql -> {
                    if (sql.stripLeading().startsWith("SELECT r.run_id") && asked.isEmpty()) {
                        asked.add(sql);
                        other.append(Runs.more("first", 1, "{}").status(RunStatus.COMPLETED));
                    }
                });
                taking.take(session, second);
                return null;
            });

            assertThat(asked).hasSize(1);
            assertThat(database.number("SELECT thread_turn FROM runs WHERE run_id = 'second'"))
                    .isPositive();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // the child processes are those of the tests that kill them, as on Unix
    void oneOfTwoJvmsTakesAThreadOfAFile() throws Exception {
        JdbcStore.sqlite(folder.resolve("store.db")).close();
        List<String> taken = new ArrayList<>();
        try (ChildJvm one = new ChildJvm("", Taker.class, folder.resolve("one").toString());
                ChildJvm two =
                        new ChildJvm("", Taker.class, folder.resolve("two").toString())) {
            taken.addAll(one.awaitEnd());
            taken.addAll(two.awaitEnd());
        }

        assertThat(taken).hasSize(ROUNDS).doesNotHaveDuplicates();
    }

    /** Takes one thread after the other, with another process, and says which it got. */
    static final class Taker {

        private Taker() {}

        public static void main(String[] args) {
            Path me = Path.of(args[0]);
            try (JdbcStore store = JdbcStore.sqlite(me.resolveSibling("store.db"))) {
                store.heartbeat(me.toString(), Duration.ofHours(1));
                String other =
                        me.resolveSibling(me.endsWith("one") ? "two" : "one").toString();
                while (!store.isAlive(other)) {
                    LockSupport.parkNanos(1_000_000);
                }
                for (int round = 0; round < ROUNDS; round++) {
                    try {
                        store.append(taking(me + " " + round, threadOf(round), me.toString()));
                        System.out.println(threadOf(round));
                    } catch (ThreadBusyException e) {
                        assertThat(e.threadId()).isEqualTo(threadOf(round));
                    }
                }
            }
        }
    }

    private interface Attempt {
        void make(JdbcStore store, int contender, int round);
    }

    /** Two stores on one database, each as a process has it. */
    private static final class Contest implements AutoCloseable {

        private final TestDatabase database;
        private final List<JdbcStore> stores;

        private Contest(Dialect dialect, Path folder) {
            database = new TestDatabase(dialect, folder);
            stores = List.of(database.open(), database.open());
            for (int contender = 0; contender < CONTENDERS; contender++) {
                store(0).heartbeat("process-" + contender, Duration.ofHours(1));
            }
        }

        private JdbcStore store(int contender) {
            return stores.get(contender % stores.size());
        }

        /**
         * Lets all contenders attempt each round together; fails unless one goes through and the others are told so.
         */
        private void race(Attempt attempt) throws Exception {
            ConcurrentLinkedQueue<Integer> won = new ConcurrentLinkedQueue<>();
            CyclicBarrier together = new CyclicBarrier(CONTENDERS);
            List<CompletableFuture<Void>> running = Runs.onVirtualThreads(CONTENDERS, contender -> {
                for (int round = 0; round < ROUNDS; round++) {
                    try {
                        together.await(100, TimeUnit.SECONDS);
                        attempt.make(store(contender), contender, round);
                        won.add(round);
                    } catch (ThreadBusyException e) {
                        assertThat(e.threadId()).isEqualTo(threadOf(round));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            });
            for (CompletableFuture<Void> each : running) {
                each.get(200, TimeUnit.SECONDS);
            }
            assertThat(won).hasSize(ROUNDS).doesNotHaveDuplicates();
        }

        @Override
        public void close() {
            stores.forEach(JdbcStore::close);
            database.close();
        }
    }

    private static String threadOf(int round) {
        return "thread " + round;
    }

    private static String runId(int contender, int round) {
        return "run " + contender + " of round " + round;
    }

    private static Append taking(String run, String thread, String owner) {
        RunId id = new RunId(run);
        RunRecord record = RunRecord.builder(id, "boss", owner, Runs.START)
                .threadId(thread)
                .resourceId("ann")
                .build();
        Append start = Runs.start(run, "{}");
        return Append.start(record, start.facts()).takesThread(true);
    }

    private static Append suspended(String run, String thread, int contender) {
        Append taking = taking(run, thread, "process-" + contender);
        return taking.status(RunStatus.SUSPENDED).takesThread(false);
    }
}
