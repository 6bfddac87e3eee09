package dev.chargehand.config;

import dev.chargehand.document.Position;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.PostgresOptions;
import dev.chargehand.jdbc.PostgresOptions.VectorColumn;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.Optional;

/** The place of a store of runs and conversations, as an agents' file or an option names it. */
public sealed interface StoreLocation {

    /** The user of a database whose URL does not contain one. */
    String USER = "CHARGEHAND_STORE_USER";

    /** The password to connect with to a database whose URL has none. */
    String PASSWORD = "CHARGEHAND_STORE_PASSWORD";

    /**
     * Open the store; close it after the last run. A database that an application made with vectors in pgvector is opened as it
     * is; a new one keeps them as bytes.
     */
    default Store open() {
        return switch (this) {
            case OfFile file -> JdbcStore.sqlite(file.path());
            case OfDatabase database ->
                JdbcStore.postgres(
                        database.url(),
                        database.user(),
                        database.password(),
                        PostgresOptions.DEFAULT.vectors(VectorColumn.AS_FOUND));
        };
    }

    /** A SQLite file. */
    record OfFile(Path path) implements StoreLocation {}

    /**
     * A PostgreSQL database.
     *
     * @param url without user and password, so that they cannot be disclosed
     */
    record OfDatabase(String url, String user, String password) implements StoreLocation {

        @Override
        public String toString() {
            return url.split("\\?", 2)[0];
        }
    }

    /**
     * Return the place that an agents' file names.
     *
     * @throws ConfigurationException if it names something else
     */
    static Optional<StoreLocation> of(AgentsFile file, Variables environment) {
        return file.store().map(named -> of(environment.resolve(named).text(), named.at(), file.folder(), environment));
    }

    /**
     * Read what was named.
     *
     * @param at where it was named
     * @param folder what a path is relative to
     * @throws ConfigurationException if it names no store; it is not repeated, because a password may be in it
     */
    static StoreLocation of(String named, Position at, Path folder, Variables environment) {
        if (named.startsWith(StoreUrl.SQLITE)) {
            return new StoreUrl(at, environment).file(named.substring(StoreUrl.SQLITE.length()), folder);
        }
        if (named.startsWith(StoreUrl.POSTGRES)) {
            return new StoreUrl(at, environment).database(named.substring(StoreUrl.POSTGRES.length()));
        }
        if (StoreUrl.ANY_URL.matcher(named).lookingAt()) {
            throw new StoreUrl(at, environment).wrong("this is the URL of something else");
        }
        return new OfFile(at.path(folder, named));
    }

    /** Return what was named as it may be shown: of a URL neither the login nor the settings, which may be secret. */
    static String shown(String named) {
        return StoreUrl.ANY_URL.matcher(named).lookingAt()
                ? named.split("\\?", 2)[0].replaceFirst("//[^/]*@", "//")
                : named;
    }
}
