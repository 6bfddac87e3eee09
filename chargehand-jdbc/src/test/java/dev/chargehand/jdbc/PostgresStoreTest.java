package dev.chargehand.jdbc;

import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.DurableStoreContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

class PostgresStoreTest extends DurableStoreContract {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    @AutoClose
    private static Postgres database;

    private final String schema = "test_" + SCHEMAS.incrementAndGet();

    @BeforeAll
    static void makeDatabase() {
        database = Postgres.database("");
    }

    @Override
    protected Store open() {
        return database.open(PostgresOptions.DEFAULT.schema(schema).threadGrace(Duration.ZERO));
    }
}
