package dev.chargehand.jdbc.internal.session;

import java.sql.SQLException;

/** A failure of the database on its way to where its meaning is known; repeats no values. */
public final class UncheckedSqlException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UncheckedSqlException(SQLException cause) {
        super("The database failed.", cause);
    }
}
