package dev.chargehand.tests;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Messages answer runs in each database too. */
class RepliesInDatabasesTest {

    @TempDir
    private static Path folder;

    private static final List<Store> OPEN = new ArrayList<>();

    /** A store that several runtimes use one after the other, each of which would close it. */
    private static final class Shared extends ForwardingStore {

        private Shared(Store store) {
            super(store);
        }

        @Override
        public void close() {
            // when all tests are over
        }
    }

    private static Store shared(Store store) {
        OPEN.add(store);
        return new Shared(store);
    }

    private static Store sqlite() {
        return shared(JdbcStore.sqlite(folder.resolve("runs-" + OPEN.size() + ".db")));
    }

    private static Store postgres() {
        try {
            return shared(JdbcStore.postgres(PostgresServer.newDatabase(), PostgresServer.USER, ""));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    static void close() {
        OPEN.forEach(Store::close);
    }

    @Nested
    class InSqlite extends ConversationReplyTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class InPostgres extends ConversationReplyTest {
        @Override
        Store open() {
            return postgres();
        }
    }

    @Nested
    class AfterACrashInSqlite extends ReplyCrashTest {
        @Override
        Store open() {
            return sqlite();
        }
    }

    @Nested
    class AfterACrashInPostgres extends ReplyCrashTest {
        @Override
        Store open() {
            return postgres();
        }
    }
}
