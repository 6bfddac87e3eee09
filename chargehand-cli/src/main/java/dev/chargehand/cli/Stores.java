package dev.chargehand.cli;

import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Opens the store of a run: the one that was named, a file of our own for a conversation, else memory. */
final class Stores {

    private static final String FOLDER = ".chargehand";

    private Stores() {}

    /**
     * Opens the store.
     *
     * @param named what the command line or the agents' file names, or null
     * @param lasting whether something is to be found again by the next command
     */
    static Store open(@Nullable StorePlace named, boolean lasting, AgentsFile file) {
        return switch (named) {
            case StorePlace.OfFile of -> JdbcStore.sqlite(of.path());
            case StorePlace.OfDatabase of -> JdbcStore.postgres(of.url(), of.user(), of.password());
            case null -> lasting ? JdbcStore.sqlite(own(file.folder().resolve(FOLDER))) : InMemoryStore.create();
        };
    }

    /** Conversations are nobody's business but the user's: version control is told to leave the folder alone. */
    private static Path own(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectory(folder);
                Files.writeString(folder.resolve(".gitignore"), "*\n");
            }
        } catch (IOException e) {
            throw new ConfigurationException(
                    "The folder '" + folder + "' for conversations cannot be made ("
                            + e.getClass().getSimpleName() + "). Name another place with --store.",
                    e);
        }
        return folder.resolve("chargehand.db");
    }
}
