package dev.chargehand.verify.harness;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A store of a harness, on which any number of runtimes run one after the other or side by side: they do not close it.
 *
 * <p>Closing it closes the store and removes what it kept.
 */
public final class OpenStore implements AutoCloseable {

    private final Store store;
    private final LongSupplier size;
    private final Runnable remove;

    private OpenStore(Store store, LongSupplier size, Runnable remove) {
        this.store = store;
        this.size = size;
        this.remove = remove;
    }

    static OpenStore inMemory() {
        return new OpenStore(InMemoryStore.keepingEndedRuns(), () -> 0, () -> {});
    }

    static OpenStore sqlite() {
        Path folder = folder();
        return new OpenStore(JdbcStore.sqlite(folder.resolve("runs.db")), () -> sizeOf(folder), () -> delete(folder));
    }

    static OpenStore postgres() {
        PostgresDatabase database = PostgresDatabase.create();
        return new OpenStore(database.store(), database::size, database::drop);
    }

    /** Return the store; closing it does nothing. */
    public Store store() {
        return new BorrowedStore(store);
    }

    /** Return how many bytes it takes on disk; 0 for one in memory. */
    public long size() {
        return size.getAsLong();
    }

    @Override
    public void close() {
        store.close();
        remove.run();
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("chargehand-verify");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long sizeOf(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
