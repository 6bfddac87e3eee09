package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that its process has left keeps its thread for a minute. */
@Timeout(120)
class ThreadGraceTest {

    private static final Duration LEASE = Duration.ofHours(1);

    /** How a process leaves the run {@code first}. */
    enum Leaving {
        RELEASE {
            @Override
            void leave(JdbcStore store, Sql.Connecting database) {
                store.release(new RunId("first"), 1);
            }
        },
        END_OF_THE_OWNER {
            @Override
            void leave(JdbcStore store, Sql.Connecting database) {
                store.heartbeat("owner of first", Duration.ZERO);
            }
        },
        END_OF_THE_LEASE {
            @Override
            void leave(JdbcStore store, Sql.Connecting database) {
                Sql.execute(
                        database,
                        "UPDATE owners SET alive_until = alive_until - 3600000 WHERE owner = 'owner of first'");
            }
        };

        abstract void leave(JdbcStore store, Sql.Connecting database);
    }

    @TempDir
    Path folder;

    private JdbcStore store;
    private Sql.Connecting database;

    @AfterEach
    void close() {
        store.close();
    }

    static Stream<Arguments> cases() {
        return Stream.of(Leaving.values())
                .flatMap(leaving -> Stream.of(true, false).map(file -> Arguments.of(leaving, file)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRunThatWasLeftKeepsItsThreadForAMinute(Leaving leaving, boolean file) {
        open(file);
        start("first");
        leaving.leave(store, database);
        assertThat(store.isAlive("owner of first")).isEqualTo(leaving == Leaving.RELEASE);

        passes(50);
        store.heartbeat("any other", LEASE); // forgets owners
        assertBusyWithFirst();
        assertThat(store.keepsThread(new RunId("first"))).isTrue();

        passes(10);
        assertThat(store.keepsThread(new RunId("first"))).isFalse();
        start("second");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRunThatIsResumedInTimeHasItsThread(Leaving leaving, boolean file) {
        open(file);
        start("first");
        leaving.leave(store, database);
        passes(50);
        resume("first");

        passes(600);
        assertBusyWithFirst();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRunThatHasLostItsThreadWaitsForIt(Leaving leaving, boolean file) {
        open(file);
        start("first");
        leaving.leave(store, database);
        passes(60);
        start("second");

        assertThatThrownBy(() -> resume("first"))
                .isInstanceOfSatisfying(
                        ThreadBusyException.class, e -> assertThat(e.runId()).isEqualTo("second"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aPendingRunIsNotDueBefore(Leaving leaving, boolean file) {
        open(file);
        start("first");
        append("second", RunStatus.PENDING, false);
        leaving.leave(store, database);

        assertThat(due()).containsExactly("first");
        assertThatThrownBy(() -> store.claim(new RunId("second"), 1, 1, "owner of second"))
                .isInstanceOf(ThreadBusyException.class);
        passes(60);
        assertThat(due()).containsExactlyInAnyOrder("first", "second");
        store.claim(new RunId("second"), 1, 1, "owner of second");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whoFindsItsOwnerGoneAgainDoesNotProlongIt(Leaving leaving, boolean file) {
        open(file);
        start("first");
        leaving.leave(store, database);
        passes(50);

        store.heartbeat("owner of first", Duration.ZERO);
        passes(10);
        store.heartbeat("owner of first", Duration.ZERO);

        start("second");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aClaimThatIsReleasedWithoutProgressDoesNotProlongIt(Leaving leaving, boolean file) {
        open(file);
        start("first");
        leaving.leave(store, database);
        claimed("first", claimed -> store.release(claimed.runId(), claimed.epoch()));
        passes(50);
        assertBusyWithFirst();
        claimed("first", claimed -> store.release(claimed.runId(), claimed.epoch()));

        passes(10);
        start("second");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRunThatProgressedKeepsItForAnotherMinute(Leaving leaving, boolean file) {
        open(file);
        start("first");
        leaving.leave(store, database);
        passes(50);
        resume("first");
        claimed("first", claimed -> {
            store.append(
                    Append.to(claimed.runId(), claimed.epoch(), claimed.length(), facts(), RunStatus.RUNNING, START));
            store.release(claimed.runId(), claimed.epoch());
        });

        passes(50);
        assertBusyWithFirst();
        passes(10);
        start("second");
    }

    @Test
    void withoutTheGraceTheThreadIsFreeAtOnce() {
        store = JdbcStore.sqlite(folder.resolve("store.db"), SqliteOptions.DEFAULT.threadGrace(Duration.ZERO));
        start("first");
        store.release(new RunId("first"), 1);

        start("second");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SqliteOptions.DEFAULT.threadGrace(Duration.ofSeconds(-1)))
                .withMessageContaining("zero or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresOptions.DEFAULT.threadGrace(Duration.ofSeconds(-1)))
                .withMessageContaining("zero or more");
    }

    private void open(boolean file) {
        if (file) {
            Path path = folder.resolve("store.db");
            store = JdbcStore.sqlite(path);
            database = () -> DriverManager.getConnection("jdbc:sqlite:" + path);
        } else {
            Postgres server = Postgres.store();
            store = server.open();
            database = server::connect;
        }
    }

    /** Lets all moments in the store be earlier. */
    private void passes(int seconds) {
        long millis = seconds * 1000L;
        Sql.execute(database, "UPDATE runs SET released_at = released_at - " + millis);
        Sql.execute(
                database,
                "UPDATE owners SET ended_at = ended_at - " + millis + ", alive_until = alive_until - " + millis);
    }

    private void assertBusyWithFirst() {
        assertThatThrownBy(() -> start("second"))
                .isInstanceOfSatisfying(
                        ThreadBusyException.class, e -> assertThat(e.runId()).isEqualTo("first"));
    }

    private void start(String run) {
        store.heartbeat("owner of " + run, LEASE);
        append(run, RunStatus.RUNNING, true);
    }

    private void append(String run, RunStatus status, boolean takes) {
        RunRecord record = RunRecord.builder(new RunId(run), "boss", "owner of " + run, START)
                .threadId("t")
                .resourceId("ann")
                .build();
        store.append(Append.start(record, facts()).status(status).takesThread(takes));
    }

    private void resume(String run) {
        claimed(
                run,
                claimed -> store.append(
                        Append.to(claimed.runId(), claimed.epoch(), claimed.length(), facts(), RunStatus.RUNNING, START)
                                .takesThread(true)));
    }

    private void claimed(String run, Consumer<RunRecord> work) {
        store.heartbeat("next owner", LEASE);
        RunRecord left = store.find(new RunId(run)).orElseThrow();
        work.accept(store.claim(left.runId(), left.epoch(), left.length(), "next owner"));
    }

    private static List<FactEntry> facts() {
        return List.of(FactEntry.of("Answered", 1, "{}"));
    }

    private List<String> due() {
        return store.due(new DueRuns.Query("other", DueRuns.Scope.ALL, START, DueRuns.Turns.FIRST, 9)).toWake().stream()
                .map(run -> run.runId().value())
                .toList();
    }
}
