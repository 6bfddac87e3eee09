package dev.chargehand.jdbc.internal.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of a result, with texts as they were given. */
record Row(ResultSet result, Dialect dialect) {

    String text(String column) throws SQLException {
        return dialect.read(result.getString(column));
    }

    @Nullable
    String textIfThere(String column) throws SQLException {
        String stored = result.getString(column);
        return stored == null ? null : dialect.read(stored);
    }

    long number(String column) throws SQLException {
        return result.getLong(column);
    }

    Instant time(String column) throws SQLException {
        return Instant.ofEpochMilli(result.getLong(column));
    }

    @Nullable
    Instant timeIfThere(String column) throws SQLException {
        long millis = result.getLong(column);
        return result.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
