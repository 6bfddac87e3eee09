package dev.chargehand.verify.harness;

import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.Store;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** An empty database in a real PostgreSQL server that listens on loopback and ends with the JVM. */
final class PostgresDatabase {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final String name;

    private PostgresDatabase(String name) {
        this.name = name;
    }

    static PostgresDatabase create() {
        PostgresDatabase database = new PostgresDatabase("verify_" + DATABASES.incrementAndGet());
        administer("CREATE DATABASE " + database.name);
        return database;
    }

    Store store() {
        return JdbcStore.postgres(url(name), PostgresServer.USER, "");
    }

    long size() {
        try (Connection connection = DriverManager.getConnection(url(name), PostgresServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT pg_database_size(current_database())")) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void drop() {
        administer("DROP DATABASE " + name + " WITH (FORCE)");
    }

    private static void administer(String sql) {
        try (Connection connection = DriverManager.getConnection(PostgresServer.url(), PostgresServer.USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String url(String database) {
        return PostgresServer.url(PostgresServer.port(), database);
    }
}
