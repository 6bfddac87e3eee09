package dev.chargehand.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds and cleans the causes of failures: what they say must not repeat what was to be written. */
final class Causes {

    private Causes() {}

    /** Returns the driver's exception, and never the SQL library's around it: that one repeats bound values. */
    static @Nullable SQLException sql(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException found) {
                return found;
            }
        }
        return null;
    }

    /** Keeps the kind and place of a failure that is no driver's, without its words, which may repeat values. */
    static Throwable plain(Throwable failure) {
        Throwable plain = new IllegalStateException(failure.getClass().getName());
        plain.setStackTrace(failure.getStackTrace());
        return plain;
    }
}
