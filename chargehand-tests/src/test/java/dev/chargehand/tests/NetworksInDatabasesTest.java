package dev.chargehand.tests;

import dev.chargehand.store.Store;
import org.junit.jupiter.api.Nested;

/** Networks have handles in each database too. */
class NetworksInDatabasesTest extends SharedDatabases {

    @Nested
    class InSqlite extends NetworkHandleTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class InPostgres extends NetworkHandleTest {
        @Override
        Store open() {
            return postgres();
        }
    }
}
