package dev.chargehand.verify.pgvector;

import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.memory.MemoryStoreRules;
import dev.chargehand.verify.stores.PgVectorServer;
import dev.chargehand.verify.stores.StoreAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The rules of the memory of a store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PgVectorRules implements MemoryStoreRules {

    @AutoClose
    private final PgVectorServer.Databases databases = new PgVectorServer.Databases(PgVectorServer.ofEnvironment());

    private final StoreAddress place = new StoreAddress(databases.store().address());
    private @Nullable Store store;

    PgVectorRules() throws SQLException {}

    @BeforeEach
    void open() {
        store = place.open();
    }

    @Override
    public Store store() {
        return Objects.requireNonNull(store);
    }

    /** That is faster than to make the tables again for each test. */
    @AfterEach
    void close() throws SQLException {
        store().close();
        List<String> tables = new ArrayList<>();
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("""
                    SELECT tablename FROM pg_tables
                    WHERE schemaname = current_schema() AND tablename <> 'chargehand_schema_history'""")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            statement.execute("TRUNCATE " + String.join(", ", tables) + " RESTART IDENTITY");
        }
    }
}
