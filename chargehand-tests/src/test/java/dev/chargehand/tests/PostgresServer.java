package dev.chargehand.tests;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL server for all tests of a JVM. The first caller starts it, and it ends with the JVM. */
public final class PostgresServer {

    public static final String USER = "postgres";

    private static final EmbeddedPostgres RUNNING = start();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private PostgresServer() {}

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static int port() {
        return RUNNING.getPort();
    }

    /** Return the URL of the database that every server has. */
    public static String url() {
        return url(port(), "postgres");
    }

    /** Return the URL of a database through a port that leads to the server. */
    public static String url(int port, String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database;
    }

    /** Create an empty database, and return its URL. */
    public static String newDatabase() throws SQLException {
        String name = "database_" + DATABASES.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url(), USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return url(port(), name);
    }
}
