package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What the administrator of a server has bounded for all its users, and connections that all break at once. */
@Timeout(120)
class PostgresBoundsTest {

    private static final String LISTENERS =
            "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";

    private final Postgres database = Postgres.database("");

    @AfterEach
    void drop() {
        database.close();
    }

    private void bound(String setting, String value) {
        database.execute("ALTER DATABASE " + database.name() + " SET " + setting + " = '" + value + "'");
    }

    private PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.url());
        source.setUser(Postgres.USER);
        return source;
    }

    /** One that changes a large table; and what it lifts holds again for the application's next use of the connection. */
    @ParameterizedTest
    @ValueSource(strings = {"statement_timeout", "transaction_timeout"})
    void aMigrationTakesLongerThanTheServerLetsOthers(String setting) {
        database.execute("""
                CREATE FUNCTION public.slow() RETURNS event_trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF to_regclass('public.changed') IS NULL THEN
                        PERFORM pg_sleep(0.5);
                        CREATE TABLE public.changed (id bigint);
                    END IF;
                END $$;
                CREATE EVENT TRIGGER slow ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION public.slow()""");
        bound(setting, "300ms");
        try (KeptConnections connections = new KeptConnections(database.url());
                JdbcStore store = JdbcStore.postgres(connections, PostgresOptions.DEFAULT)) {
            store.append(start("r", "{}"));
            assertThat(Sql.value(connections::getConnection, "SHOW " + setting)).isEqualTo("300ms");
        }
        assertThat(database.number("SELECT count(*) FROM public.changed")).isZero();
    }

    @Test
    void aCallHasItsOwnLimitAlsoWhereTheServerHasOthers() {
        try (JdbcStore ignored = database.open()) {
            bound("transaction_timeout", "200ms");
            bound("statement_timeout", "200ms");
        }
        try (JdbcStore pooled = database.open();
                JdbcStore given = JdbcStore.postgres(source(), PostgresOptions.DEFAULT)) {
            for (JdbcStore store : List.of(pooled, given)) {
                assertThat(store.<String>write(session -> {
                            int ignored = session.execute("SELECT pg_sleep(0.3)");
                            return session.sql("SHOW transaction_timeout").one(row -> row.text(1));
                        }))
                        .isEqualTo("0");
            }
        }
    }

    @Test
    void aConnectionThatListensIsNotEndedForBeingIdle() {
        bound("idle_session_timeout", "200ms");
        try (JdbcStore store = database.open(PostgresOptions.DEFAULT.notify(database.url()))) {
            long listener = 0;
            while (listener == 0) {
                listener = database.number(LISTENERS);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(600));
            assertThat(database.number(LISTENERS)).isEqualTo(listener);
        }
    }

    /** More connections than a call has attempts. */
    @Test
    void aCallIsDoneAfterAllConnectionsWereEnded() throws Exception {
        int all = 12;
        try (JdbcStore store =
                database.open(PostgresOptions.DEFAULT.connections(all).callLimit(Duration.ofSeconds(60)))) {
            store.append(start("r", "{}"));
            for (int round = 1; round <= 3; round++) {
                CountDownLatch used = new CountDownLatch(all);
                for (CompletableFuture<Void> each : Runs.onVirtualThreads(
                        all,
                        i -> store.read(session -> {
                            boolean ignored = session.sql("SELECT 1").hasRow();
                            used.countDown();
                            Runs.await(used);
                            return null;
                        }))) {
                    each.get(60, TimeUnit.SECONDS);
                }
                database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");

                store.append(more("r", round, "{}"));
            }
            assertThat(texts(store, "r")).hasSize(4);
        }
    }
}
