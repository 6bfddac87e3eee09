package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static dev.chargehand.jdbc.Runs.assertFails;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.saying;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.ThreadEntry;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresCallsTest {

    private static final PostgresOptions PATIENT = PostgresOptions.DEFAULT.callLimit(Duration.ofSeconds(60));

    private final Postgres database = Postgres.store();
    private JdbcStore store;

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    @Test
    void whatAnAppendReturnedFromIsThereForAnotherProcessAndReadable() {
        store = database.open();
        store.append(saying(start("r", "{\"a\": \"\\u0000 \u65e5\"}"), "t", "m"));

        assertThat(database.value("SELECT text FROM facts")).isEqualTo("{\"a\": \"\\u0000 \u65e5\"}");
        assertThat(database.value("SELECT message_id FROM thread_messages")).isEqualTo("m");
    }

    @Test
    void anIdMayBeLongerThanAnIndexTakes() {
        store = database.open();
        String id = noise(20_000);
        store.append(saying(start(id, "{}"), id, id));
        store.append(saying(start(id + "x", "{}"), id + "x", id));
        store.append(saying(more(id, 1, "{}"), id, id));
        store.append(saying(more(id, 2, "{}"), id, id + "x"));
        store.heartbeat(id, Duration.ofHours(1));
        store.heartbeat(id, Duration.ofHours(2));

        assertThat(texts(store, id)).hasSize(3);
        assertThat(store.readThread(id, ANN, Long.MAX_VALUE, 9))
                .extracting(ThreadEntry::messageId)
                .containsExactly(id, id + "x");
        assertThat(store.claim(new RunId(id), 1, 3, id).owner()).isEqualTo(id);
        assertThat(store.list(RunFilter.ROOTS.tree(new RunId(id)))).hasSize(1);
        assertThat(store.isAlive(id)).isTrue();
        assertThat(store.isAlive(id + "x")).isFalse();
    }

    @Test
    void ownersLiveByTheDatabasesClock() {
        store = database.open(PostgresOptions.DEFAULT.threadGrace(Duration.ZERO));
        store.heartbeat("me", Duration.ofHours(1));
        store.heartbeat("for ever", Duration.ofSeconds(Long.MAX_VALUE));
        long left = database.number("SELECT alive_until - CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
                + " FROM owners WHERE owner = 'me'");

        assertThat(left).isBetween(1L, Duration.ofHours(1).toMillis());
        assertThat(store.isAlive("me")).isTrue();

        database.execute("UPDATE owners SET alive_until = alive_until - " + left + " WHERE owner = 'me'");
        assertThat(store.isAlive("me")).isFalse();
        store.heartbeat("another", Duration.ofHours(1));
        assertThat(database.value("SELECT string_agg(owner, ', ' ORDER BY owner) FROM owners"))
                .isEqualTo("another, for ever");
    }

    @Test
    void manyVirtualThreadsShareFewConnections() throws Exception {
        store = database.open(PATIENT.connections(2));
        List<CompletableFuture<Void>> writers = Runs.onVirtualThreads(300, i -> {
            store.append(saying(start("r" + i, "{}"), "shared", "a" + i));
            store.append(saying(more("r" + i, 1, "{}"), "shared", "b" + i));
            assertThat(texts(store, "r" + i)).hasSize(2);
        });
        for (CompletableFuture<Void> each : writers) {
            each.get(100, TimeUnit.SECONDS);
        }

        assertThat(store.findThread("shared").orElseThrow().length()).isEqualTo(600);
        assertThat(database.number("SELECT count(*) FROM thread_messages")).isEqualTo(600);
        assertThat(database.number("SELECT max(position) FROM thread_messages")).isEqualTo(599);
    }

    @Test
    void anInterruptedCallerGetsItsAnswerAndKeepsTheInterrupt() throws Exception {
        store = database.open(PATIENT.connections(2));
        List<CompletableFuture<Void>> callers = Runs.onVirtualThreads(40, i -> {
            Thread.currentThread().interrupt();
            store.append(start("r" + i, "{}"));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        for (CompletableFuture<Void> each : callers) {
            each.get(100, TimeUnit.SECONDS);
        }

        assertThat(database.number("SELECT count(*) FROM facts")).isEqualTo(40);
        assertThatNoConnectionIsHeld();
    }

    @Test
    void aCallerThatIsInterruptedInTheMiddleOfItsCallDoesNotTearItsConnection() throws Exception {
        store = database.open(PATIENT.connections(1));
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<Long> backend = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual()
                .start(() -> backend.complete(store.write(session -> {
                    inside.countDown();
                    return session.sql("SELECT pg_backend_pid() FROM pg_sleep(0.2)")
                            .one(row -> row.number(1));
                })));
        inside.await();
        caller.interrupt();

        long answered = backend.get(60, TimeUnit.SECONDS);
        assertThat(answered).isEqualTo(backend());
        assertThatNoConnectionIsHeld();
    }

    @Test
    void aRowThatAnotherTransactionHoldsIsNamedAsTheReason() throws Exception {
        store = database.open(PostgresOptions.DEFAULT.callLimit(Duration.ofSeconds(4)));
        store.append(start("r", "{}"));
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT * FROM runs FOR UPDATE");

            assertFails(Kind.TIMEOUT, () -> store.append(more("r", 1, "{}")))
                    .hasMessageContaining("another transaction holds the row")
                    .hasMessageContaining("Nothing of this call is stored");
            assertThat(texts(store, "r")).hasSize(1);

            other.rollback();
        }
        store.append(more("r", 1, "{}"));
        assertThat(texts(store, "r")).hasSize(2);
    }

    @Test
    void aCallThatTakesTooLongGivesItsConnectionBackAndLeavesNothing() {
        store = database.open(PostgresOptions.DEFAULT.connections(1).callLimit(Duration.ofSeconds(2)));
        assertFails(
                Kind.TIMEOUT,
                () -> store.write(session -> {
                    session.execute("INSERT INTO owners (owner, alive_until) VALUES ('late', 9999999999999)");
                    return session.execute("SELECT pg_sleep(3600)");
                }));

        Runs.untilInTime(() -> store.heartbeat("me", Duration.ofHours(1)));
        assertThat(database.value("SELECT string_agg(owner, ', ') FROM owners")).isEqualTo("me");
        assertThatNoConnectionIsHeld();
    }

    @Test
    void aCallThatWasNotStartedInTimeNeverHappens() throws Exception {
        store = database.open(PostgresOptions.DEFAULT.connections(1).callLimit(Duration.ofSeconds(1)));
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        List<CompletableFuture<Void>> busy = Runs.onVirtualThreads(
                1,
                i -> assertFails(
                        Kind.TIMEOUT,
                        () -> store.write(session -> {
                            begun.countDown();
                            Runs.await(go);
                            return true;
                        })));
        begun.await();

        assertFails(Kind.TIMEOUT, () -> store.append(start("r", "{}"))).hasMessageContaining("was not started");

        busy.getFirst().get(60, TimeUnit.SECONDS);
        go.countDown();
        Runs.untilInTime(() -> store.heartbeat("me", Duration.ofHours(1)));
        assertThat(database.number("SELECT count(*) FROM runs")).isZero();
    }

    @Test
    void closingFinishesWhatIsStartedOrWaits() throws Exception {
        store = database.open(PATIENT.connections(1));
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        List<CompletableFuture<Void>> calls = Runs.onVirtualThreads(
                1,
                i -> store.write(session -> {
                    begun.countDown();
                    Runs.await(go);
                    return session.execute("INSERT INTO owners (owner, alive_until) VALUES ('first', 9999999999999)");
                }));
        begun.await();
        CompletableFuture<Void> closing =
                Runs.onVirtualThreads(1, i -> store.close()).getFirst();
        go.countDown();

        calls.getFirst().get(60, TimeUnit.SECONDS);
        closing.get(60, TimeUnit.SECONDS);
        assertThat(database.number("SELECT count(*) FROM owners")).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'chargehand'"
                        + " AND datname = current_database()"))
                .isZero();
    }

    @Test
    void aFailureDoesNotRepeatWhatWasWritten() {
        store = database.open();
        store.append(start("r", "{}"));
        database.execute("ALTER TABLE facts ADD CONSTRAINT no CHECK (text NOT LIKE '%password%')");

        assertFails(Kind.FAILED, () -> store.append(more("r", 1, "\"my password\"")))
                .satisfies(e -> assertThat(Throwables.getStackTrace(e))
                        .contains("23514", "violates check constraint")
                        .doesNotContain("my password"));
        assertThat(texts(store, "r")).hasSize(1);
    }

    private long backend() {
        return store.read(session -> session.sql("SELECT pg_backend_pid()").one(row -> row.number(1)));
    }

    private void assertThatNoConnectionIsHeld() {
        assertThat(database.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'"
                                + " AND pid <> pg_backend_pid()"))
                .isZero();
    }

    private static String noise(int length) {
        return new Random(7)
                .ints(length, ' ', 0x2000)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
