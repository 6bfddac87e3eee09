package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static dev.chargehand.jdbc.Runs.assertFails;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.saying;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes on one database, connections that break, and transactions that get into each other's way. */
@Timeout(180)
class PostgresFaultsTest {

    private static final int ROUNDS = 60;
    private static final PostgresOptions PATIENT =
            PostgresOptions.DEFAULT.connections(4).callLimit(Duration.ofSeconds(60));

    private final Postgres database = Postgres.store();
    private JdbcStore store;
    private JdbcStore other;

    @BeforeEach
    void open() {
        store = database.open(PATIENT);
        other = database.open(PATIENT);
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
        database.close();
    }

    @Test
    void oneOfTwoProcessesWinsEachPosition() throws Exception {
        store.append(start("r", "\"start\""));
        AtomicInteger won = new AtomicInteger();
        race(8, (mine, name) -> {
            for (int turn = 0; turn < ROUNDS; turn++) {
                try {
                    mine.append(saying(more("r", length(mine), "\"" + name + "\""), "t", name + " " + turn));
                    won.incrementAndGet();
                } catch (StoreException e) {
                    assertThat(e.kind()).isEqualTo(Kind.FENCED);
                }
            }
        });

        List<String> texts = texts(store, "r");
        assertThat(texts).hasSize(won.get() + 1);
        assertThat(store.find(new RunId("r")).orElseThrow().length()).isEqualTo(texts.size());
        assertThat(store.readThread("t", ANN, Long.MAX_VALUE, Integer.MAX_VALUE))
                .hasSize(won.get());
    }

    @Test
    void oneOfTwoProcessesClaimsARunAndTheOtherCannotWrite() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String run = "r" + round;
            store.append(start(run, "{}"));
            AtomicInteger claims = new AtomicInteger();
            race(2, (mine, name) -> {
                try {
                    long epoch = mine.claim(new RunId(run), 1, 1, name).epoch();
                    claims.incrementAndGet();
                    mine.append(Append.to(
                            new RunId(run),
                            epoch,
                            1,
                            more(run, 1, "\"" + name + "\"").facts(),
                            RunStatus.COMPLETED,
                            Runs.START));
                } catch (StoreException e) {
                    assertThat(e.kind()).isEqualTo(Kind.FENCED);
                    assertFails(Kind.FENCED, () -> mine.append(more(run, 1, "\"late\"")));
                }
            });

            assertThat(claims).hasValue(1);
            assertThat(texts(store, run)).hasSize(2).doesNotContain("\"late\"");
            assertThat(texts(store, run).getLast())
                    .isEqualTo("\"" + other.find(new RunId(run)).orElseThrow().owner() + "\"");
        }
    }

    @Test
    void appendsToTheSameThreadsInAnyOrderDoNotBlockEachOther() throws Exception {
        race(8, (mine, name) -> {
            for (int i = 0; i < ROUNDS / 4; i++) {
                String id = name + " " + i;
                ThreadAppend left = new ThreadAppend("left", ANN, null, null, List.of(new ThreadEntry(id, "{}")));
                ThreadAppend right = new ThreadAppend("right", ANN, null, null, List.of(new ThreadEntry(id, "{}")));
                mine.append(start(id, "{}").threads(i % 2 == 0 ? List.of(left, right) : List.of(right, left)));
            }
        });

        for (String thread : List.of("left", "right")) {
            assertThat(store.findThread(thread).orElseThrow().length()).isEqualTo(8 * (ROUNDS / 4));
        }
        assertThat(database.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
                .isZero();
    }

    @Test
    void aCallWhoseConnectionBreaksIsDoneOnceByAnother() {
        AtomicInteger attempts = new AtomicInteger();
        int inserted = store.write(session -> {
            int rows = session.execute("INSERT INTO owners (owner, alive_until) VALUES ('me', 9999999999999)");
            if (attempts.incrementAndGet() == 1) {
                terminate(session);
            }
            return rows;
        });

        assertThat(inserted).isEqualTo(1);
        assertThat(attempts).hasValue(2);
        assertThat(database.number("SELECT count(*) FROM owners")).isEqualTo(1);
    }

    @Test
    void connectionsThatBreakBetweenCallsAreNotNoticed() {
        store.append(start("r", "{}"));
        for (int i = 1; i < 10; i++) {
            terminateAll();
            store.append(more("r", i, "{}"));
        }

        assertThat(texts(store, "r")).hasSize(10);
    }

    @Test
    void aCallWhoseConnectionsAllBreakFailsAndLeavesNothing() {
        for (int i = 0; i < 2 * PATIENT.connections(); i++) {
            assertFails(
                            Kind.FAILED,
                            () -> store.write(session -> {
                                session.execute("INSERT INTO owners (owner, alive_until) VALUES ('me', 9999999999999)");
                                return terminate(session);
                            }))
                    .hasMessageContaining("the connection was lost")
                    .hasMessageContaining("Nothing of this call is stored");
        }

        assertThat(database.number("SELECT count(*) FROM owners")).isZero();
        store.append(start("r", "{}"));
    }

    @Test
    void aCommitWithoutAnAnswerIsNotCalledAFailure() {
        database.execute("""
            CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON facts DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION break()\
            """);

        assertFails(Kind.TIMEOUT, () -> store.append(start("r", "{}"))).hasMessageContaining("may be stored, or not");

        database.execute("DROP TRIGGER at_commit ON facts");
        store.append(start("r", "{}"));
        assertThat(texts(store, "r")).hasSize(1);
    }

    @Test
    void aReadThatLosesItsConnectionAtItsCommitIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        int read = store.read(session -> {
            if (attempts.incrementAndGet() == 1) {
                long server = session.sql("SELECT pg_backend_pid()").one(row -> row.number(1));
                database.execute("SELECT pg_terminate_backend(" + server + ", 60000)");
            }
            return attempts.get();
        });

        assertThat(read).isEqualTo(2);
    }

    @Test
    void aTransactionThatLostARaceIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        store.write(session -> {
            session.execute("INSERT INTO owners (owner, alive_until) VALUES ('me', 9999999999999)");
            return attempts.incrementAndGet() < 3
                    ? session.execute("DO $$ BEGIN RAISE EXCEPTION 'circle' USING ERRCODE = '40P01'; END $$")
                    : 0;
        });

        assertThat(attempts).hasValue(3);
        assertThat(database.number("SELECT count(*) FROM owners")).isEqualTo(1);
    }

    @Test
    void aTransactionThatLosesEveryRaceFails() {
        assertFails(
                        Kind.FAILED,
                        () -> store.write(session ->
                                session.execute("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$")))
                .hasMessageContaining("again and again");
    }

    @Test
    void aFullDiskIsNamed() {
        assertFails(
                        Kind.FAILED,
                        () -> store.write(session ->
                                session.execute("DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '53100'; END $$")))
                .hasMessageContaining("disk is full");
    }

    @Test
    void aFullDiskFailsTheAppendAndNothingElse() {
        store.append(start("r", "\"before\""));
        database.execute("""
            CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER full_disk BEFORE INSERT ON facts FOR EACH ROW EXECUTE FUNCTION full_disk()\
            """);

        assertFails(Kind.FAILED, () -> store.append(saying(more("r", 1, "\"no room\""), "t", "m")))
                .hasMessageContaining("disk is full; make room and try again");
        assertThat(texts(store, "r")).containsExactly("\"before\"");
        assertThat(store.findThread("t")).isEmpty();

        database.execute("DROP TRIGGER full_disk ON facts");
        store.append(saying(more("r", 1, "\"room\""), "t", "m"));
        assertThat(texts(other, "r")).containsExactly("\"before\"", "\"room\"");
    }

    /** On the server's own disk: a copy whose file is spoilt before anybody has read it. */
    @ParameterizedTest
    @ValueSource(strings = {"facts", "chargehand_schema_history"})
    void aDamagedTableIsReportedAndNotReadAsIfItWereEmpty(String table) throws Exception {
        store.append(start("r", "{}"));
        String path = database.value(
                "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('" + table + "')");
        String oid = database.value("SELECT oid FROM pg_database WHERE datname = current_database()");
        store.close();
        other.close();
        try (Postgres copy = database.copy()) {
            Path file = Path.of(path.replace(
                    "/" + oid + "/",
                    "/"
                            + new Postgres("postgres")
                                    .value("SELECT oid FROM pg_database WHERE datname = '" + copy.name() + "'")
                            + "/"));
            byte[] noise = new byte[4096];
            new Random(7).nextBytes(noise);
            try (FileChannel page = FileChannel.open(file, StandardOpenOption.WRITE)) {
                assertThat(page.write(ByteBuffer.wrap(noise), 0)).isEqualTo(noise.length);
            }

            assertFails(Kind.UNUSABLE, () -> {
                        try (JdbcStore damaged = copy.open()) {
                            texts(damaged, "r");
                        }
                    })
                    .hasMessageContaining(copy.name())
                    .hasMessageContaining("XX001");
            assertThat(Arrays.copyOf(Files.readAllBytes(file), noise.length)).isEqualTo(noise);
        }
    }

    @Test
    void aProcessThatFreezesInATransactionLosesItsLocks() throws Exception {
        store.append(start("r", "{}"));
        CompletableFuture<String> claimed = new CompletableFuture<>();
        try (JdbcStore frozen = database.open(PATIENT.callLimit(Duration.ofSeconds(2)))) {
            assertFails(
                    Kind.TIMEOUT,
                    () -> frozen.write(session -> {
                        session.execute("SELECT * FROM runs FOR UPDATE");
                        return claimed.complete(
                                other.claim(new RunId("r"), 1, 1, "other").owner());
                    }));
            assertThat(claimed.get(60, TimeUnit.SECONDS)).isEqualTo("other");
        }
    }

    /** What one of the contenders does with its store. */
    private interface Contender {
        void run(JdbcStore mine, String name);
    }

    /** Lets contenders run at once, half of them in each process. */
    private void race(int contenders, Contender contender) throws Exception {
        for (CompletableFuture<Void> each :
                Runs.onVirtualThreads(contenders, i -> contender.run(i % 2 == 0 ? store : other, "process-" + i))) {
            each.get(100, TimeUnit.SECONDS);
        }
    }

    private static long length(JdbcStore mine) {
        return mine.find(new RunId("r")).orElseThrow().length();
    }

    private static int terminate(Session session) {
        return session.execute("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)");
    }

    private void terminateAll() {
        database.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }
}
