package dev.chargehand.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Connections to a database that several stores of a test use one after the other. For each new connection the server starts a
 * process, which takes more time than most tests.
 */
final class KeptConnections extends HikariDataSource {

    private static final int MOST = 64;

    /**
     * Keep connections to a database.
     *
     * @param url of the database
     */
    KeptConnections(String url) {
        super(config(url));
    }

    private static HikariConfig config(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(Postgres.USER);
        config.setPassword("");
        config.setPoolName("kept");
        config.setMaximumPoolSize(MOST);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        return config;
    }

    /** Return a connection with the settings of a new one, and not with those of its last user. */
    @Override
    public Connection getConnection() throws SQLException {
        while (true) {
            Connection connection = super.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("RESET ALL");
                return connection;
            } catch (SQLException e) {
                evictConnection(connection); // its last user has broken it
                connection.close();
            }
        }
    }
}
