package dev.chargehand.jdbc.internal.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of a result, with texts as they were given. */
public record Row(ResultSet result, TextForm form) {

    public String text(String column) throws SQLException {
        return form.read(result.getString(column));
    }

    public @Nullable String textIfThere(String column) throws SQLException {
        String stored = result.getString(column);
        return stored == null ? null : form.read(stored);
    }

    public String text(int column) throws SQLException {
        return form.read(result.getString(column));
    }

    public long number(int column) throws SQLException {
        return result.getLong(column);
    }

    public long number(String column) throws SQLException {
        return result.getLong(column);
    }

    public @Nullable Long numberIfThere(String column) throws SQLException {
        long number = result.getLong(column);
        return result.wasNull() ? null : number;
    }

    public double real(String column) throws SQLException {
        return result.getDouble(column);
    }

    public byte[] bytes(String column) throws SQLException {
        return result.getBytes(column);
    }

    public Instant time(String column) throws SQLException {
        return Instant.ofEpochMilli(result.getLong(column));
    }

    public @Nullable Instant timeIfThere(String column) throws SQLException {
        long millis = result.getLong(column);
        return result.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
