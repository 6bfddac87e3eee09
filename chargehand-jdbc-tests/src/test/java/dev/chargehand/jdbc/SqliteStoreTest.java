package dev.chargehand.jdbc;

import dev.chargehand.store.Store;
import dev.chargehand.testkit.store.DurableStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends DurableStoreContract {

    /** A file with an empty store, to make copies of: that is faster than to migrate each. */
    private static Path template;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeTemplate(@TempDir Path made) {
        template = made.resolve("template.db");
        JdbcStore.sqlite(template).close();
    }

    @Override
    protected Store open() throws IOException {
        Path file = folder.resolve("store.db");
        if (Files.notExists(file)) {
            Files.copy(template, file);
        }
        return JdbcStore.sqlite(file, SqliteOptions.DEFAULT.threadGrace(Duration.ZERO));
    }
}
