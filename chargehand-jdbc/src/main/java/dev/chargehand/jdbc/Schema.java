package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.FlywayLog;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Handle;

/**
 * Brings a file to the schema of this version, and refuses one that is not ours to change.
 *
 * <p>A file that is up to date is recognised by two queries; Flyway, which needs half a second to load, is only called
 * when there is something to do.
 */
final class Schema {

    /** The newest migration in {@code db/sqlite}. */
    static final int VERSION = 1;

    /** A name of our own, so that another program's Flyway database is not mistaken for a store. */
    private static final String HISTORY = "chargehand_schema_history";

    private static final int ATTEMPTS = 3;

    private final SqliteFile file;

    Schema(SqliteFile file) {
        this.file = file;
    }

    /**
     * Makes the file ready for use and opens the connection that writes.
     *
     * @throws StoreException {@code UNUSABLE} if it is damaged, another program's, or of a later version; it is left as
     *     it is then
     */
    Handle open() {
        file.requireUsable();
        boolean legible = file.holdsAnything() && !file.hasRollbackJournal();
        if (!legible || !isCurrent()) {
            migrate();
        }
        return openToWrite();
    }

    private boolean isCurrent() {
        try (Handle handle = file.openToInspect()) {
            return isCurrent(handle);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Failures.opening(file.path(), e);
        }
    }

    private boolean isCurrent(Handle handle) {
        Path path = file.path();
        long tables = handle.createQuery("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
                .mapTo(Long.class)
                .one();
        if (tables == 0) {
            return false;
        }
        boolean ours = handle.createQuery("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = :name")
                        .bind("name", HISTORY)
                        .mapTo(Long.class)
                        .one()
                > 0;
        if (!ours) {
            throw Failures.unusable(path, "is the database of another program; name another file", null);
        }
        int version = handle.createQuery(
                        "SELECT coalesce(max(CAST(version AS INTEGER)), 0) FROM " + HISTORY + " WHERE success")
                .mapTo(Integer.class)
                .one();
        if (version > VERSION) {
            throw Failures.unusable(
                    path,
                    "was written by a later version of Chargehand (schema " + version + ", this one knows " + VERSION
                            + "); it was left as it is. Use that version, or name another file",
                    null);
        }
        return version == VERSION;
    }

    /** Migrates; where that fails because another process does the same at the same time, looks again. */
    private void migrate() {
        for (int attempt = 1; ; attempt++) {
            try {
                Flyway.configure(Schema.class.getClassLoader())
                        .dataSource(file.writers())
                        .locations("classpath:db/sqlite")
                        .table(HISTORY)
                        .loggers(FlywayLog.class.getName())
                        .load()
                        .migrate();
                return;
            } catch (FlywayException e) {
                if (file.holdsAnything() && isCurrent()) {
                    return;
                }
                if (attempt == ATTEMPTS) {
                    throw Failures.opening(file.path(), e);
                }
            }
        }
    }

    private Handle openToWrite() {
        Handle handle = null;
        try {
            handle = file.openToWrite();
            String mode = handle.createQuery("PRAGMA journal_mode")
                    .mapTo(String.class)
                    .one();
            if (!mode.equals("wal")) {
                throw Failures.unusable(
                        file.path(), "cannot have a write-ahead log here; put it on a disk of this machine", null);
            }
            if (!isCurrent(handle)) {
                throw Failures.unusable(file.path(), "was changed while it was opened; try again", null);
            }
            return handle;
        } catch (RuntimeException e) {
            if (handle != null) {
                handle.close();
            }
            throw e instanceof StoreException ? e : Failures.opening(file.path(), e);
        }
    }
}
