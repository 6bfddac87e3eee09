package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.PostgresOptions.VectorColumn;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.session.UncheckedSqlException;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import dev.chargehand.jdbc.internal.sql.memory.VectorForm;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides, when a schema is opened, how it keeps vectors.
 *
 * <p>The record of the choice is the column itself, so that the two cannot differ. It is changed only while there are no vectors.
 */
final class PostgresVectors {

    private static final int ATTEMPTS = 3;

    /** Runs something in a transaction. */
    interface Transactions {
        <T> T run(Function<Session, T> work);
    }

    private final String name;
    private final PostgresOptions options;
    private final Transactions transactions;

    PostgresVectors(String name, PostgresOptions options, Transactions transactions) {
        this.name = name;
        this.options = options;
        this.transactions = transactions;
    }

    /**
     * What the table of vectors has.
     *
     * @param column the form of its column; if it has none, because the extension was dropped, that of the extension
     * @param isThere whether it has a column
     */
    private record Found(VectorColumn column, boolean isThere) {

        private boolean is(VectorColumn wanted) {
            return column == wanted && isThere;
        }
    }

    /**
     * Return the form in which vectors are kept, after the schema has been changed to that of the options if it has to be.
     *
     * @throws StoreException {@code UNUSABLE} if it must not be changed, or if the extension cannot be used
     */
    VectorForm open() {
        Found found = inSchema(PostgresVectors::find);
        VectorColumn wanted = options.vectors() == VectorColumn.AS_FOUND ? found.column() : options.vectors();
        if (!found.is(wanted)) {
            // Before its tables are locked, and before the extension is created.
            inSchema(session -> requireChangeable(session, found, wanted));
        }
        VectorForm form = wanted == VectorColumn.BYTEA ? VectorForm.BYTES : extension();
        if (!found.is(wanted)) {
            change(wanted, form);
        }
        return form;
    }

    private static Found find(Session session) {
        List<String> columns = session.sql("""
                        SELECT attname FROM pg_attribute
                        WHERE attrelid = CAST('vectors' AS regclass) AND attnum > 0 AND NOT attisdropped""").list(row -> row.text(1));
        return columns.contains(VectorForm.BYTES.column())
                ? new Found(VectorColumn.BYTEA, true)
                : new Found(VectorColumn.PGVECTOR, columns.contains(VectorForm.FLOATS));
    }

    private boolean requireChangeable(Session session, Found found, VectorColumn wanted) {
        if (session.sql("SELECT 1 FROM vectors LIMIT 1").hasRow()) {
            throw unusable(
                    (found.isThere()
                                    ? "keeps vectors as " + found.column() + " and was opened for " + wanted
                                    : "has lost its vectors, because the extension vector was dropped")
                            + ". Close all processes that use it, execute DELETE FROM \"" + options.schema()
                            + "\".vectors, and open it again; runtime.memory().reindex(…) then makes the vectors of an"
                            + " owner again, and without it each conversation gets them after its next runs",
                    null);
        }
        List<String> users = Migrations.users(session, Dialect.POSTGRESQL);
        if (!users.isEmpty()) {
            throw unusable(
                    "is to keep vectors as " + wanted + " from now on, and processes use it that do not know: "
                            + String.join(", ", users)
                            + ". Close them first; a process that has died counts as gone 30 seconds later",
                    null);
        }
        return true;
    }

    /** Change the column. Another process may do the same or the opposite at the same time. */
    private void change(VectorColumn wanted, VectorForm form) {
        for (int attempt = 1; ; attempt++) {
            try {
                inSchema(session -> {
                    session.execute("LOCK TABLE memory_cursors, vectors IN ACCESS EXCLUSIVE MODE");
                    Found found = find(session);
                    if (!found.is(wanted)) {
                        requireChangeable(session, found, wanted);
                        alter(session, form);
                    }
                    return form;
                });
                return;
            } catch (UncheckedSqlException e) {
                if (attempt == ATTEMPTS || !PostgresFailures.isPassing(e)) {
                    throw e;
                }
            }
        }
    }

    private static void alter(Session session, VectorForm form) {
        // There are no vectors, so no message has its own, whatever is stored of that.
        session.execute("DELETE FROM memory_cursors WHERE kind = 'VECTORS'");
        session.execute("ALTER TABLE vectors DROP COLUMN IF EXISTS " + VectorForm.BYTES.column()
                + ", DROP COLUMN IF EXISTS " + VectorForm.FLOATS);
        session.execute("ALTER TABLE vectors ADD COLUMN " + form.column() + " " + form.type() + " NOT NULL");
        if (form.column().equals(VectorForm.FLOATS)) {
            // In its row where a page has room for it, up to some 2,000 dimensions: a search reads each.
            session.execute("ALTER TABLE vectors ALTER COLUMN " + form.column() + " SET STORAGE MAIN");
        }
    }

    /** Find the extension in whichever schema it is, or create it, and try it. */
    private VectorForm extension() {
        String schema = inSchema(PostgresVectors::schemaOfExtension).orElseGet(this::create);
        VectorForm form = VectorForm.pgvector(schema);
        try {
            inSchema(session -> session.sql("SELECT " + form.parameter())
                    .bind("vector", new float[] {1})
                    .hasRow());
        } catch (UncheckedSqlException e) {
            if (PostgresFailures.isForbidden(e)) {
                throw unusable(
                        "is to keep vectors as PGVECTOR, and its user may not use the extension vector; execute GRANT USAGE ON"
                                + " SCHEMA \"" + schema + "\" TO that user",
                        e);
            }
            throw e;
        }
        return form;
    }

    private static Optional<String> schemaOfExtension(Session session) {
        return session.sql("""
                        SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
                        WHERE e.extname = 'vector'""").first(row -> row.text(1));
    }

    /** Create the extension where it does not go with the schema of a store, and return its schema. */
    private String create() {
        Throwable failure = null;
        try {
            inSchema(session -> session.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public"));
        } catch (UncheckedSqlException e) {
            if (PostgresFailures.isLost(e)) {
                throw e;
            }
            failure = e;
        }
        // Also if that failed: another process may have created it at the same time.
        Optional<String> schema = inSchema(PostgresVectors::schemaOfExtension);
        if (schema.isEmpty()) {
            throw unusable(
                    "is to keep vectors as PGVECTOR, and its database has no extension vector"
                            + (failure != null && PostgresFailures.isForbidden(failure)
                                    ? ", which its user may not create. Let a user who may execute CREATE EXTENSION vector"
                                    : ", and it cannot be created. Install pgvector on the server, and let a superuser execute"
                                            + " CREATE EXTENSION vector")
                            + " in that database, or open the store with VectorColumn.BYTEA",
                    failure);
        }
        return schema.get();
    }

    private <T> T inSchema(Function<Session, T> work) {
        return transactions.run(session -> {
            // As it is after a lock was waited for, whatever an application's connections are set to.
            session.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; " + options.settings("LOCAL"));
            return work.apply(session);
        });
    }

    private StoreException unusable(String what, @Nullable Throwable cause) {
        return PostgresFailures.unusable(name, what, cause == null ? null : PostgresFailures.clean(cause));
    }
}
