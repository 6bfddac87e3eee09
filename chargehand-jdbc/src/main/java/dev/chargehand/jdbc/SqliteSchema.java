package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import org.flywaydb.core.api.FlywayException;

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
    Session open() {
        file.requireUsable();
        boolean legible = file.holdsAnything() && !file.hasRollbackJournal();
        if (!legible || !isCurrent()) {
            migrate();
        }
        return openToWrite();
    }

    private boolean isCurrent() {
        try (Session session = file.openToInspect()) {
            return isCurrent(session);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            throw SqliteFailures.opening(file.path(), e);
        }
    }

    private boolean isCurrent(Session session) {
        return Migrations.isCurrent(
                session, Dialect.SQLITE, what -> SqliteFailures.unusable(file.path(), what + " file", null));
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

    private Session openToWrite() {
        Session session = null;
        try {
            session = file.openToWrite();
            String mode = session.sql("PRAGMA journal_mode").one(row -> row.text(1));
            if (!mode.equals("wal")) {
                throw SqliteFailures.unusable(
                        file.path(), "cannot have a write-ahead log here; put it on a disk of this machine", null);
            }
            if (!isCurrent(session)) {
                throw SqliteFailures.unusable(file.path(), "was changed while it was opened; try again", null);
            }
            return session;
        } catch (RuntimeException e) {
            if (session != null) {
                session.close();
            }
            throw e instanceof StoreException ? e : SqliteFailures.opening(file.path(), e);
        }
    }
}
