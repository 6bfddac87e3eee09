package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.start;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A store whose file goes away under it says so, and never acknowledges what nobody will find. */
@DisabledOnOs(OS.WINDOWS) // where an open file cannot be deleted
class FileWatchTest {

    @TempDir
    Path folder;

    private Path place;
    private Path file;

    @AutoClose
    private JdbcStore store;

    @BeforeEach
    void open() throws IOException {
        place = Files.createDirectory(folder.resolve("place"));
        file = place.resolve("store.db");
        store = JdbcStore.sqlite(file);
        store.append(start("r", "{}"));
    }

    @Test
    void aDeletedFile() throws IOException {
        Files.delete(file);

        assertLost();
    }

    @Test
    void aDeletedLog() throws IOException {
        Files.delete(place.resolve("store.db-wal"));

        assertLost();
    }

    @Test
    void aFileThatAnotherHasReplaced() throws IOException {
        Path other = folder.resolve("other.db");
        JdbcStore.sqlite(other).close();
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

        assertLost();
    }

    @Test
    void aFolderThatWasRenamedUntilItIsBack() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Files.move(place, elsewhere);

        assertLost();

        Files.move(elsewhere, place);
        long length = texts(store, "r").size();
        store.append(more("r", length, "{}"));
        assertThat(texts(store, "r")).hasSize((int) length + 1);
    }

    private void assertLost() {
        assertThatThrownBy(() -> store.append(more("r", 1, "{}")))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNUSABLE))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("deleted, moved or replaced")
                .hasMessageContaining("restore a backup");
    }
}
