package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.START;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Stores that are notified by PostgreSQL of what other processes do. */
@Timeout(120)
class PostgresListenerTest {

    private static final String LISTENERS =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";

    private final Postgres database = Postgres.store();
    private final PostgresOptions options =
            PostgresOptions.DEFAULT.callLimit(Duration.ofSeconds(60)).notify(database.url());

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aDeliveryOfAnotherProcessIsNoticedWithoutALook() throws Exception {
        try (JdbcStore waits = database.open(options.connections(1));
                JdbcStore other = database.open(options)) {
            other.append(start("r", "{}"));
            awaitListeners(2);

            assertNoticedWithoutALook(waits, () -> other.deliver(message("1")));
        }
    }

    @Test
    void aListenerWhoseConnectionIsBrokenListensAgain() throws Exception {
        try (JdbcStore waits = database.open(options.connections(1));
                JdbcStore other = database.open(options)) {
            other.append(start("r", "{}"));
            awaitListeners(2);

            database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND query LIKE 'LISTEN%'");
            awaitListeners(0);
            awaitListeners(2);

            assertNoticedWithoutALook(waits, () -> other.deliver(message("1")));
        }
        awaitListeners(0);
    }

    @Test
    void onlyDeliveriesSubmittedAndReleasedRunsAreAnnounced() throws Exception {
        try (JdbcStore store = database.open(options);
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN chargehand");

            store.append(start("r", "{}"));
            store.append(more("r", 1, "{}"));
            store.heartbeat("me", Duration.ofHours(1));
            assertThat(announced(connection)).isZero();

            store.deliver(message("1"));
            assertThat(announced(connection)).isOne();
            store.deliver(message("1")); // a duplicate
            assertThat(announced(connection)).isZero();

            store.release(new RunId("r"), 1);
            assertThat(announced(connection)).isOne();

            store.append(start("p", "{}").status(RunStatus.PENDING));
            assertThat(announced(connection)).isOne();
        }
    }

    @Test
    void withoutTheOptionNothingIsAnnounced() throws Exception {
        try (JdbcStore store = database.open();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN chargehand");
            store.append(start("r", "{}"));
            store.deliver(message("1"));

            assertThat(announced(connection)).isZero();
            assertThat(database.number(LISTENERS)).isZero();
        }
    }

    @Test
    void aUrlIsTestedWhenTheStoreIsOpenedAndItsPasswordIsNotShown() {
        assertThatThrownBy(() -> database.open(PostgresOptions.DEFAULT.notify("mysql://localhost/x")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("jdbc:postgresql://host:5432/database");
        assertThat(PostgresOptions.DEFAULT.notify(database.url() + "?user=postgres&password=hidden"))
                .asString()
                .contains(database.url())
                .doesNotContain("hidden");
        assertThat(PostgresOptions.DEFAULT.notify("jdbc:postgresql://ann:hidden@host:5432/x"))
                .asString()
                .contains("host:5432/x")
                .doesNotContain("hidden");
    }

    @Test
    void aUrlThatIsNoneLeavesNoConnectionOpen() {
        assertThatThrownBy(() -> database.open(PostgresOptions.DEFAULT.notify("mysql://localhost/x")))
                .isInstanceOf(ConfigurationException.class);

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("chargehand-store:"));
    }

    /** Lets one thread look, which it cannot since the only connection is in use, and a second one wait. */
    private static void assertNoticedWithoutALook(JdbcStore waits, Runnable change) throws Exception {
        long seen = waits.awaitChange(0, Duration.ZERO);
        CountDownLatch used = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<Void> holds = async(() -> waits.read(session -> {
            used.countDown();
            Runs.await(mayEnd);
            return null;
        }));
        used.await();
        CompletableFuture<Void> looks = async(() -> waits.awaitChange(seen, Duration.ofMinutes(1)));
        CompletableFuture<Void> listens = async(() -> waits.awaitChange(seen, Duration.ofMinutes(1)));

        change.run();

        CompletableFuture.anyOf(looks, listens).get(60, TimeUnit.SECONDS);
        assertThat(holds).isNotDone();
        mayEnd.countDown();
        CompletableFuture.allOf(holds, looks, listens).get(60, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> async(Runnable work) {
        return CompletableFuture.runAsync(work, each -> Thread.ofVirtual().start(each));
    }

    private static int announced(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1"); // what was announced before arrives with the answer
        }
        PGNotification[] received = connection.unwrap(PGConnection.class).getNotifications();
        return received == null ? 0 : received.length;
    }

    private void awaitListeners(int count) {
        for (int look = 0; database.number(LISTENERS) != count; look++) {
            assertThat(look).as("looks for " + count + " listeners").isLessThan(6_000);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static Delivery message(String id) {
        return new Delivery(new RunId("r"), id, Delivery.Kind.MESSAGE, Json.parse("{}"), START);
    }
}
