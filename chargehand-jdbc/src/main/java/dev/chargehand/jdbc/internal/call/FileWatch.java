package dev.chargehand.jdbc.internal.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the file of a store, or its write-ahead log, was deleted, moved or replaced while it is open: SQLite
 * would continue to write without an error, to a lost file. Used by the thread that writes.
 */
public final class FileWatch {

    private final Path file;
    private final Path log;
    private @Nullable Object fileKey;
    private @Nullable Object logKey;
    private boolean opened;

    public FileWatch(Path file) {
        this.file = file;
        this.log = file.resolveSibling(file.getFileName() + "-wal");
    }

    /** Remember which files are open now. */
    public void opened() {
        opened = true;
        fileKey = keyOf(file);
        logKey = keyOf(log);
    }

    /** Return whether one of the files is no longer at its place. */
    public boolean isLost() {
        if (!opened) {
            return false;
        }
        if (logKey == null) {
            logKey = keyOf(log); // it is made by the first write
        }
        return isOther(file, fileKey) || isOther(log, logKey);
    }

    private static boolean isOther(Path path, @Nullable Object key) {
        if (key == null) {
            return false;
        }
        try {
            return !key.equals(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false; // it cannot be looked at, which says nothing about what SQLite has open
        }
    }

    /** Return the identity of a file, regardless of its name; null where the system has no such thing. */
    private static @Nullable Object keyOf(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }
}
