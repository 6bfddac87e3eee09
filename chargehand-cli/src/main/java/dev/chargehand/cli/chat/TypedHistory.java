package dev.chargehand.cli.chat;

import dev.chargehand.config.StateFolder;
import dev.chargehand.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of the lines that a user typed, readable by this user only. */
final class TypedHistory {

    private static final Logger LOG = LoggerFactory.getLogger(TypedHistory.class);
    private static final FileAttribute<Set<PosixFilePermission>> OWN_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private TypedHistory() {}

    /** Create the file if it is missing, and return it; null if that fails. */
    static @Nullable Path in(StateFolder folder) {
        try {
            Path history = folder.create().resolve("history");
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
}
