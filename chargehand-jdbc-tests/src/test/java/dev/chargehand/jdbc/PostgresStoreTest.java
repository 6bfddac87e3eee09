package dev.chargehand.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.DurableStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

class PostgresStoreTest extends DurableStoreContract {

    @AutoClose
    private static Postgres database;

    @AutoClose
    private static HikariDataSource connections;

    @BeforeAll
    static void makeDatabase() {
        database = Postgres.store();
        connections = new HikariDataSource();
        connections.setJdbcUrl(database.url());
        connections.setUsername(Postgres.USER);
        connections.setMaximumPoolSize(10);
        connections.setMinimumIdle(1);
    }

    @Override
    protected Store open() {
        return JdbcStore.postgres(connections, PostgresOptions.DEFAULT.threadGrace(Duration.ZERO));
    }

    /** That is faster than to make the tables again for each test. */
    @AfterEach
    void emptyTables() {
        database.emptyTables();
    }
}
