package dev.chargehand.verify.stores;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server with the extension pgvector, which the environment names. Its user may make databases and the extension; what is
 * made is removed by {@link Databases}.
 *
 * @param url the URL of a database to connect to
 */
public record PgVectorServer(String url, String user, String password) {

    /** The URL of a database of the server. */
    public static final String URL = "CHARGEHAND_PGVECTOR_URL";

    /** The user; postgres if it is not set. */
    public static final String USER = "CHARGEHAND_PGVECTOR_USER";

    /** The password; empty if it is not set. */
    public static final String PASSWORD = "CHARGEHAND_PGVECTOR_PASSWORD";

    private static final String PREFIX = "jdbc:postgresql://";
    private static final AtomicInteger MADE = new AtomicInteger();

    /** Return the server that the environment of this process names. */
    public static PgVectorServer ofEnvironment() {
        return of(System.getenv());
    }

    /**
     * Return the server that an environment names.
     *
     * @throws IllegalArgumentException if it names none
     */
    public static PgVectorServer of(Map<String, String> environment) {
        String url = environment.getOrDefault(URL, "");
        if (!url.startsWith(PREFIX) || url.indexOf('/', PREFIX.length()) < 0) {
            throw new IllegalArgumentException("Set " + URL
                    + " to the URL of a database on a PostgreSQL server with the extension"
                    + " pgvector, such as " + PREFIX + "localhost:5432/postgres, and " + USER + " and " + PASSWORD
                    + " to a user who may create databases and extensions; verify/pgvector-server makes such a server on"
                    + " Debian" + (url.isEmpty() ? "." : ". It is no such URL now."));
        }
        return new PgVectorServer(
                url, environment.getOrDefault(USER, "postgres"), environment.getOrDefault(PASSWORD, ""));
    }

    /** Connect to a database of the server. */
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(database, user, password);
    }

    /** Execute statements in a database. */
    public void execute(String database, String... statements) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private String url(String database) {
        int path = url.indexOf('/', PREFIX.length());
        int settings = url.indexOf('?');
        return url.substring(0, path + 1) + database + (settings < 0 ? "" : url.substring(settings));
    }

    /** Databases of one harness or test, which go with it. Used by one thread. */
    public static final class Databases implements AutoCloseable {

        private final PgVectorServer server;
        private final List<String> names = new ArrayList<>();

        /** Make none yet. */
        public Databases(PgVectorServer server) {
            this.server = server;
        }

        /** Make an empty database and return its URL. */
        public String make() throws SQLException {
            String name = "chargehand_verify_" + ProcessHandle.current().pid() + "_" + MADE.incrementAndGet();
            server.execute(server.url(), "CREATE DATABASE " + name + " ENCODING 'UTF8' TEMPLATE template0");
            names.add(name);
            return server.url(name);
        }

        /** Make an empty database for a store that keeps vectors in pgvector. */
        public StorePlace store() throws SQLException {
            return StoreAddress.pgvector(make());
        }

        @Override
        public void close() throws SQLException {
            for (String name : names) {
                server.execute(server.url(), "DROP DATABASE " + name + " WITH (FORCE)");
            }
        }
    }
}
