package dev.chargehand.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Statements of a test on a connection of its own. */
final class Sql {

    private Sql() {}

    /** Opens a connection. */
    interface Connecting {
        Connection connect() throws SQLException;
    }

    static void execute(Connecting database, String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Asks for one value. */
    static String value(Connecting database, String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
