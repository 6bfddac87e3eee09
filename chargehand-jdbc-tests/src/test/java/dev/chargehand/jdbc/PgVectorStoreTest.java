package dev.chargehand.jdbc;

import dev.chargehand.jdbc.PostgresOptions.VectorColumn;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.memory.UnusedMemoryRules;
import dev.chargehand.testkit.store.memory.VectorRules;
import dev.chargehand.testkit.store.memory.VectorSearchRules;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Vectors of a stand-in for pgvector, see {@link StandIn}; {@code verify/pgvector} tests all of a memory with the extension itself. */
@Timeout(300)
class PgVectorStoreTest implements VectorRules, VectorSearchRules, UnusedMemoryRules {

    @AutoClose
    private static Postgres database;

    private Store store;

    @BeforeAll
    static void makeDatabase() {
        database = Postgres.store();
        StandIn.install(database, "extensions");
    }

    @BeforeEach
    void openStore() {
        store = database.openKept(PostgresOptions.DEFAULT.vectors(VectorColumn.PGVECTOR));
    }

    @Override
    public Store store() {
        return store;
    }

    @AfterEach
    void closeStore() {
        store.close();
        database.emptyTables();
    }
}
