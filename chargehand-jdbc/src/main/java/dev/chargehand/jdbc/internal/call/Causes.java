package dev.chargehand.jdbc.internal.call;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds and cleans the causes of failures: what they say must not repeat what was to be written. */
public final class Causes {

    private Causes() {}

    /** Return the driver's exception, without what is around it. */
    public static @Nullable SQLException sql(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException found) {
                return found;
            }
        }
        return null;
    }

    /** Keep the kind and place of a failure outside of the driver, without its message, which may repeat values. */
    public static Throwable plain(Throwable failure) {
        Throwable plain = new IllegalStateException(failure.getClass().getName());
        plain.setStackTrace(failure.getStackTrace());
        return plain;
    }
}
