package dev.chargehand.jdbc;

import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.DurableStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

class PostgresStoreTest extends DurableStoreContract {

    @AutoClose
    private static Postgres database;

    @BeforeAll
    static void makeDatabase() {
        database = Postgres.store();
    }

    @Override
    protected Store open() {
        return database.openKept(PostgresOptions.DEFAULT.threadGrace(Duration.ZERO));
    }

    /** That is faster than to make the tables again for each test. */
    @AfterEach
    void emptyTables() {
        database.emptyTables();
    }
}
