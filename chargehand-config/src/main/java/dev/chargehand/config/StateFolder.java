package dev.chargehand.config;

import dev.chargehand.config.choice.CrewOption;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * The folder {@code .chargehand} next to an agents' file: its default store, and the indexes of its documents.
 *
 * @param path the folder, which may be missing
 */
public record StateFolder(Path path) {

    private static final String NAME = ".chargehand";
    private static final String STORE = "chargehand.db";
    private static final String INDEXES = "search";

    /** Return the folder of an agents' file. */
    public static StateFolder of(AgentsFile file) {
        return in(file.folder());
    }

    /** Return the folder of an agents' file that is in a folder. */
    public static StateFolder in(Path folder) {
        return new StateFolder(folder.resolve(NAME));
    }

    /** Return the file of the store that is used unless another one is named. */
    public Path store() {
        return path.resolve(STORE);
    }

    /**
     * Open the store of this folder, which is created if it is missing. A run that a command left keeps no thread: it waits
     * for the next command.
     *
     * @throws CrewOptionException if the folder cannot be created
     */
    public Store openStore() {
        create();
        return JdbcStore.sqlite(store(), SqliteOptions.DEFAULT.threadGrace(Duration.ZERO));
    }

    /** Return the folder for the index of documents. */
    public Path index(Path documents) {
        String place = documents.toAbsolutePath().normalize().toString();
        String key =
                UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8)).toString();
        return path.resolve(INDEXES).resolve(key);
    }

    /**
     * Create the folder, and return it. Version control ignores it.
     *
     * @throws CrewOptionException if it cannot be created
     */
    public Path create() {
        try {
            Files.createDirectories(path); // the index of the documents may have been there first
            Path ignored = path.resolve(".gitignore");
            if (!Files.exists(ignored)) {
                Files.writeString(ignored, "*\n");
            }
        } catch (IOException e) {
            throw new CrewOptionException(
                    CrewOption.STORE,
                    "The folder '" + path + "' for conversations cannot be created ("
                            + e.getClass().getSimpleName() + "). Create it, or use another store.",
                    e);
        }
        return path;
    }
}
