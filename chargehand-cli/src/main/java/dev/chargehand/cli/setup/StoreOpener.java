package dev.chargehand.cli.setup;

import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the store of a run: the one that was named, a file of our own for a conversation, else memory. */
public final class StoreOpener {

    private static final String FOLDER = ".chargehand";
    private static final String INDEXES = "search";
    private static final String NAME = "chargehand.db";
    private static final Logger LOG = LoggerFactory.getLogger(StoreOpener.class);
    private static final FileAttribute<Set<PosixFilePermission>> OWN_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private StoreOpener() {}

    /**
     * Open the store.
     *
     * @param named what the command line or the agents' file names, or null
     * @param lasting whether something is to be found again by the next command
     */
    public static Store open(@Nullable StoreLocation named, boolean lasting, AgentsFile file) {
        if (named != null) {
            return open(named);
        }
        if (!lasting) {
            return InMemoryStore.create();
        }
        makeFolder(file);
        return JdbcStore.sqlite(own(file));
    }

    /** Open a store that was named. */
    public static Store open(StoreLocation named) {
        return switch (named) {
            case StoreLocation.OfFile of -> JdbcStore.sqlite(of.path());
            case StoreLocation.OfDatabase of -> JdbcStore.postgres(of.url(), of.user(), of.password());
        };
    }

    /** Return what the agents' file names, or null. */
    public static @Nullable StoreLocation named(AgentsFile file, Variables variables) {
        Setting named = file.store();
        return named == null
                ? null
                : StoreLocation.of(variables.resolve(named).text(), named.at(), file.folder(), variables);
    }

    /** Return where our own file of some agents is, or would be. */
    public static Path own(AgentsFile file) {
        return file.folder().resolve(FOLDER).resolve(NAME);
    }

    /** Return where the index of some documents is kept, or would be. */
    public static Path index(AgentsFile file, Path documents) {
        String place = documents.toAbsolutePath().normalize().toString();
        String key =
                UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8)).toString();
        return file.folder().resolve(FOLDER).resolve(INDEXES).resolve(key);
    }

    /**
     * Return the file for the history of typed lines, created and readable by its user only; null if that fails.
     */
    public static @Nullable Path history(AgentsFile file) {
        try {
            Path history = makeFolder(file).resolve("history");
            boolean posix =
                    history.getFileSystem().supportedFileAttributeViews().contains("posix");
            if (Files.notExists(history)) {
                Files.createFile(history, posix ? new FileAttribute<?>[] {OWN_ONLY} : new FileAttribute<?>[0]);
            } else if (posix) {
                Files.setPosixFilePermissions(history, OWN_ONLY.value());
            }
            return history;
        } catch (IOException | ConfigurationException e) {
            LOG.debug("what is typed will not be remembered: {}", e.toString());
            return null;
        }
    }

    /**
     * Create the folder for files next to the agents' file, and return it. It is private to the user and ignored by
     * version control.
     */
    public static Path makeFolder(AgentsFile file) {
        Path folder = file.folder().resolve(FOLDER);
        try {
            Files.createDirectories(folder); // the index of the documents may have been there first
            Path ignored = folder.resolve(".gitignore");
            if (!Files.exists(ignored)) {
                Files.writeString(ignored, "*\n");
            }
        } catch (IOException e) {
            throw new ConfigurationException(
                    "The folder '" + folder + "' for conversations cannot be made ("
                            + e.getClass().getSimpleName() + "). Name another place with --store.",
                    e);
        }
        return folder;
    }
}
