package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Handle;

/** Brings a file to the schema of this version, and rejects a schema of another program. */
final class SqliteSchema {

    private static final int ATTEMPTS = 3;

    private final SqliteFile file;

    SqliteSchema(SqliteFile file) {
        this.file = file;
    }

    /**
     * Make the file ready for use and open the connection that writes.
     *
     * @throws StoreException {@code UNUSABLE} if it is damaged, another program's, or of a later version; it is then
     *     left unchanged
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
            throw SqliteFailures.opening(file.path(), e);
        }
    }

    private boolean isCurrent(Handle handle) {
        return Migrations.isCurrent(
                handle, Dialect.SQLITE, what -> SqliteFailures.unusable(file.path(), what + " file", null));
    }

    /** Migrate; where that fails because another process does the same at the same time, looks again. */
    private void migrate() {
        for (int attempt = 1; ; attempt++) {
            try {
                var ignored = Migrations.migrate(Dialect.SQLITE, file.writers(), settings -> settings);
                return;
            } catch (FlywayException e) {
                if (file.holdsAnything() && isCurrent()) {
                    return;
                }
                if (attempt == ATTEMPTS) {
                    throw SqliteFailures.opening(file.path(), e);
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
                throw SqliteFailures.unusable(
                        file.path(), "cannot have a write-ahead log here; put it on a disk of this machine", null);
            }
            if (!isCurrent(handle)) {
                throw SqliteFailures.unusable(file.path(), "was changed while it was opened; try again", null);
            }
            return handle;
        } catch (RuntimeException e) {
            if (handle != null) {
                handle.close();
            }
            throw e instanceof StoreException ? e : SqliteFailures.opening(file.path(), e);
        }
    }
}
