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

    private static String emptying;

    @BeforeAll
    static void makeDatabase() {
        database = Postgres.store();
        emptying = database.value("""
                SELECT string_agg(format('DELETE FROM %I', tablename), '; ') FROM pg_tables
                WHERE schemaname = 'chargehand' AND tablename <> 'chargehand_schema_history'""");
    }

    @Override
    protected Store open() {
        return database.open(PostgresOptions.DEFAULT.threadGrace(Duration.ZERO));
    }

    /** That is faster than to make the tables again for each test, and than TRUNCATE, which gives each new files. */
    @AfterEach
    void emptyTables() {
        database.execute("SET lock_timeout = '60s'; SET session_replication_role = replica; " + emptying);
    }
}
