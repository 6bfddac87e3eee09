package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.session.Sessions;
import dev.chargehand.jdbc.internal.session.UncheckedSqlException;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import dev.chargehand.jdbc.internal.sql.memory.VectorForm;
import java.util.function.Function;
import org.flywaydb.core.api.FlywayException;

/** Brings a schema of a PostgreSQL database to this version, and rejects a schema of another program. */
final class PostgresSchema {

    private static final int OLDEST_SERVER = 13;
    private static final int ATTEMPTS = 3;

    private final PostgresSource source;
    private final PostgresOptions options;
    private final Sessions sessions;

    PostgresSchema(PostgresSource source, PostgresOptions options) {
        this.source = source;
        this.options = options;
        this.sessions = new Sessions(Dialect.POSTGRESQL, 0, source.direct()::getConnection);
    }

    /**
     * A schema that is ready for use.
     *
     * @param name the name of the database with its schema
     * @param vectors how it keeps vectors
     */
    record Opened(String name, VectorForm vectors) {}

    /**
     * Make the schema ready for use.
     *
     * @throws StoreException {@code UNUSABLE} if it cannot be reached, is another program's, or of a later version; it
     *     is then left unchanged
     */
    Opened open() {
        String name = "PostgreSQL, schema " + options.schema();
        try {
            name = inTransaction(this::nameOf);
            requireUsable(name);
            if (!isCurrent(name)) {
                migrate(name);
            }
            return new Opened(name, new PostgresVectors(name, options, this::inTransaction).open());
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            throw PostgresFailures.opening(name, e);
        }
    }

    /** Return the URL without what is behind its question mark, where passwords may be. */
    private String nameOf(Session session) {
        String url = session.url();
        int settings = url.indexOf('?');
        return (settings < 0 ? url : url.substring(0, settings)) + ", schema " + options.schema();
    }

    private void requireUsable(String name) {
        int version = Integer.parseInt(setting("server_version_num")) / 10_000;
        if (version < OLDEST_SERVER) {
            throw PostgresFailures.unusable(
                    name, "is on PostgreSQL " + version + "; use version " + OLDEST_SERVER + " or later", null);
        }
        String encoding = setting("server_encoding");
        if (!encoding.equals("UTF8")) {
            throw PostgresFailures.unusable(
                    name,
                    "keeps texts in " + encoding + ", which has not all characters; make the database with"
                            + " ENCODING 'UTF8'",
                    null);
        }
    }

    private String setting(String setting) {
        return inTransaction(session -> session.sql("SELECT current_setting(:setting)")
                .bind("setting", setting)
                .one(row -> row.text(1)));
    }

    private boolean isCurrent(String name) {
        return inTransaction(session -> {
            session.execute(options.settings("LOCAL"));
            return Migrations.isCurrent(
                    session, Dialect.POSTGRESQL, what -> PostgresFailures.unusable(name, what + " schema", null));
        });
    }

    /** Migrate; where that fails because another process does the same at the same time, looks again. */
    private void migrate(String name) {
        for (int attempt = 1; ; attempt++) {
            try {
                makeSchema();
                var ignored = Migrations.migrate(
                        Dialect.POSTGRESQL, source.migrating(), settings -> settings.schemas(options.schema())
                                .createSchemas(false));
                return;
            } catch (UncheckedSqlException | FlywayException e) {
                if (isCurrent(name)) {
                    return;
                }
                if (attempt == ATTEMPTS || PostgresFailures.isForbidden(e)) {
                    throw PostgresFailures.opening(name, e);
                }
            }
        }
    }

    /** Make the schema, which Flyway would try ten times, also where it is forbidden. */
    private void makeSchema() {
        inTransaction(session -> {
            boolean there = session.sql("SELECT count(*) FROM pg_namespace WHERE nspname = :schema")
                            .bind("schema", options.schema())
                            .one(row -> row.number(1))
                    > 0;
            return there ? 0 : session.execute("CREATE SCHEMA IF NOT EXISTS \"" + options.schema() + "\"");
        });
    }

    private <T> T inTransaction(Function<Session, T> work) {
        try (Session session = sessions.open()) {
            session.start();
            try {
                T result = work.apply(session);
                session.commit();
                return result;
            } catch (RuntimeException e) {
                session.rollback();
                throw e;
            }
        }
    }
}
