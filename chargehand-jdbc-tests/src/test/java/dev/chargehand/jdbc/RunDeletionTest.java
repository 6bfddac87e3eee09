package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.START;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.saying;
import static dev.chargehand.jdbc.Runs.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.store.deletion.Deletion;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left in the tables when runs are deleted, and for whom it is not waited. */
@Timeout(180)
class RunDeletionTest {

    private static final Instant LATER = START.plusSeconds(3600);
    private static final String LARGE = '"' + "x".repeat(20_000) + '"';
    private static final String SHARED = '"' + "y".repeat(20_000) + '"';

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void noRowOfADeletedRunIsLeft(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore store = database.open()) {
            RunId run = new RunId("r");
            RunRecord child = RunRecord.builder(new RunId("c"), "writer", "process-1", START)
                    .rootRunId(run)
                    .parentRunId(run)
                    .parentCallId("call")
                    .build();
            WaitingCall call = new WaitingCall(
                    run,
                    "call",
                    new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, START.plusSeconds(9)),
                    "tool",
                    null,
                    null);
            store.append(saying(start("r", LARGE), "t", "m")
                    .waits(List.of(call))
                    .idempotencyKey(new IdempotencyKey("key", "digest")));
            store.append(Append.start(child, more("c", 0, SHARED).facts()));
            assertThat(store.deliver(new Delivery(run, "m", Delivery.Kind.MESSAGE, Json.parse("{}"), START)))
                    .isEqualTo(new Delivered.Accepted());
            store.append(start("kept", SHARED));
            store.append(List.of(
                    Append.to(run, 1, 1, List.of(), RunStatus.COMPLETED, START),
                    Append.to(new RunId("c"), 1, 1, List.of(), RunStatus.COMPLETED, START)
                            .rootRunId(run)));

            assertThat(store.delete(new Deletion.EndedRuns(LATER, 10))).isEqualTo(1);

            for (String table : List.of("deliveries", "waiting", "idempotency")) {
                assertThat(rows(database, table)).as(table).isZero();
            }
            for (String table : List.of("runs", "facts", "payloads", "threads", "thread_messages")) {
                assertThat(rows(database, table)).as(table).isEqualTo(1);
            }
        }
    }

    @Test
    void aRunThatAnotherTransactionHasIsLeftOutWithoutWaitingForIt() throws Exception {
        try (Postgres database = Postgres.store();
                JdbcStore store = database.open();
                Connection other = database.connect();
                Statement statement = other.createStatement()) {
            for (String run : List.of("a", "b", "c")) {
                store.append(start(run, "{}").status(RunStatus.COMPLETED));
            }
            lock(other, statement, "b");

            assertThat(store.delete(new Deletion.EndedRuns(LATER, 10))).isEqualTo(2);
            assertThat(store.find(new RunId("b"))).isPresent();

            other.rollback();
            assertThat(store.delete(new Deletion.EndedRuns(LATER, 10))).isEqualTo(1);
        }
    }

    private static void lock(Connection connection, Statement statement, String run) throws SQLException {
        connection.setAutoCommit(false);
        boolean ignored = statement.execute("SELECT 1 FROM runs WHERE run_id = '" + run + "' FOR UPDATE");
    }

    private static long rows(TestDatabase database, String table) {
        return database.number("SELECT count(*) FROM " + table);
    }
}
