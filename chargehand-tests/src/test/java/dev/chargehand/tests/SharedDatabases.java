package dev.chargehand.tests;

import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/** Makes databases that several runtimes of a test use one after the other; they are closed after the last test. */
abstract class SharedDatabases {

    @TempDir
    static Path folder;

    private static final List<Store> OPEN = new ArrayList<>();

    /** A store that several runtimes use one after the other, each of which would close it. */
    private static final class Shared extends ForwardingStore {

        private final Store store;

        private Shared(Store store) {
            super(store);
            this.store = store;
        }

        @Override
        public Store forTenant(String tenantId) {
            return new Shared(store.forTenant(tenantId));
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

    static Store sqlite() {
        return shared(JdbcStore.sqlite(folder.resolve("runs-" + OPEN.size() + ".db")));
    }

    static Store postgres() {
        return shared(JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, ""));
    }

    @AfterAll
    static void close() {
        OPEN.forEach(Store::close);
        OPEN.clear();
    }
}
