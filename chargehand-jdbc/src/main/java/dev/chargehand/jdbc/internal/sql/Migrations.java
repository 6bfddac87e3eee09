package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.FlywayLog;
import dev.chargehand.jdbc.internal.session.Session;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.MigrateResult;

/**
 * The schema's versions, the same numbers in each database.
 *
 * <p>A store that is up to date is recognised by two queries; Flyway, which needs half a second to load, is only called
 * when there is something to do.
 */
public final class Migrations {

    /** The newest migration in {@code db/sqlite} and {@code db/postgresql}. */
    public static final int VERSION = 25;

    /** A name of our own, so that another program's Flyway database is not mistaken for a store. */
    private static final String HISTORY = "chargehand_schema_history";

    /** What a server of PostgreSQL may bound, which a migration of a large store would exceed at each attempt. */
    private static final List<String> BOUNDS =
            List.of("statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout");

    private Migrations() {}

    /**
     * Return whether a database has the schema of this version, or an older one or none.
     *
     * @param refusal makes the exception for a database that this version must not change: one of another program or of
     *     a later version, or one of an earlier version that a living process uses
     */
    public static boolean isCurrent(Session session, Dialect dialect, Function<String, StoreException> refusal) {
        List<String> tables = session.sql(dialect.tables()).list(row -> row.text(1));
        if (tables.isEmpty()) {
            return false;
        }
        if (!tables.contains(HISTORY)) {
            throw refusal.apply("is the database of another program; name another");
        }
        long version = session.sql(
                        "SELECT coalesce(max(CAST(version AS INTEGER)), 0) FROM " + HISTORY + " WHERE success")
                .one(row -> row.number(1));
        if (version > VERSION) {
            throw refusal.apply("was written by a later version of Chargehand (schema " + version + ", this one knows "
                    + VERSION + "); it was not changed. Use that version, or name another");
        }
        if (version < VERSION && tables.contains("owners")) {
            requireUnused(session, dialect, refusal);
        }
        return version == VERSION;
    }

    /** Reject a store that processes of an earlier version use: they do not know what this version stores. */
    private static void requireUnused(Session session, Dialect dialect, Function<String, StoreException> refusal) {
        List<String> users = users(session, dialect);
        if (!users.isEmpty()) {
            throw refusal.apply(
                    "has the schema of an earlier version, and processes of that version use it: "
                            + String.join(", ", users)
                            + ". It was not changed. Close them first; a process that has died counts as gone 30 seconds later");
        }
    }

    /** Return the living processes that use a store. */
    public static List<String> users(Session session, Dialect dialect) {
        return session.sql("SELECT owner FROM owners WHERE alive_until > " + dialect.nowInMillis() + " ORDER BY owner")
                .list(row -> row.text(1));
    }

    /**
     * Bring a database to the newest version that the settings allow. Each migration is committed together with its row in
     * the history, so a process that dies at any statement leaves a version from which the next process continues.
     *
     * @param settings what to set in addition to the migrations, for example the schema and the target
     * @throws FlywayException if a migration fails, or another process migrates for longer than Flyway waits for it
     */
    public static MigrateResult migrate(
            Dialect dialect, DataSource source, UnaryOperator<FluentConfiguration> settings) {
        try (OneConnection connection = new OneConnection(source, dialect == Dialect.POSTGRESQL ? BOUNDS : List.of())) {
            FluentConfiguration configuration = Flyway.configure(Migrations.class.getClassLoader())
                    .dataSource(connection.dataSource())
                    .locations("classpath:" + dialect.migrations())
                    .table(HISTORY)
                    .loggers(FlywayLog.class.getName());
            return settings.apply(configuration).load().migrate();
        }
    }
}
