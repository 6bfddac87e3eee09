package dev.chargehand.jdbc;

import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.DurableStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends DurableStoreContract {

    @TempDir
    Path folder;

    @Override
    protected Store open() {
        return JdbcStore.sqlite(folder.resolve("store.db"), SqliteOptions.DEFAULT.threadGrace(Duration.ZERO));
    }
}
