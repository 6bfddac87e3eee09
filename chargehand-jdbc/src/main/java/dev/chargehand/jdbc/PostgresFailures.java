package dev.chargehand.jdbc;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.call.Causes;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Says what a failure of PostgreSQL means for the caller, by its five-letter state.
 *
 * <p>The cause of what it makes has the server's words, without their details and the driver's, which repeat values.
 */
final class PostgresFailures {

    private static final String NOTHING_STORED = ". Nothing of this call is stored.";

    /**
     * What goes away when the transaction is tried again: a wait in a circle, another's change at the same moment, a
     * plan made for an older schema or for another connection.
     */
    private static final Set<String> PASSING = Set.of("40001", "40002", "40P01", "23505", "23P01", "0A000", "26000");

    /** The server stops, was stopped, starts, or has ended the session. */
    private static final Set<String> ENDED = Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "25P04");

    private PostgresFailures() {}

    /** Return whether the connection is lost, so that the end of the transaction is unknown. */
    static boolean isLost(Throwable failure) {
        SQLException cause = Causes.sql(failure);
        String state = state(cause);
        return state.startsWith("08")
                || ENDED.contains(state)
                || cause instanceof SQLTransientConnectionException
                || (cause != null && cause.getCause() instanceof IOException);
    }

    /** Return whether a retry may succeed. */
    static boolean isPassing(Throwable failure) {
        return PASSING.contains(state(Causes.sql(failure)));
    }

    /** Return whether the user lacks the permission, so that a retry does not help. */
    static boolean isForbidden(Throwable failure) {
        return Set.of("42501", "25006").contains(state(Causes.sql(failure)));
    }

    /** Make the exception for a call that failed; nothing of it is stored. */
    static StoreException of(String name, Throwable failure) {
        String state = state(Causes.sql(failure));
        if (isLost(failure)) {
            return failed(
                    name, "the connection was lost or there was none; try again when the database answers", failure);
        }
        return switch (state) {
            case "57014" -> timeout(name, "a statement took too long", failure);
            case "55P03" -> timeout(name, "another transaction holds the row", failure);
            case "53100" -> failed(name, "the database's disk is full; make room and try again", failure);
            case "53200", "53300", "53400" ->
                failed(name, "the database has no memory or connections left; try again later", failure);
            case "25006" -> failed(name, "it may only be read; name the primary server, not a standby", failure);
            case "42501" -> failed(name, "the user may not write there; grant it all rights on the schema", failure);
            case "54000" -> failed(name, "a text is longer than PostgreSQL's limit", failure);
            case "42703", "42704", "42883", "3F000" ->
                unusable(
                        name,
                        "has other tables than when it was opened (" + state
                                + "): another process opened it with another"
                                + " VectorColumn, or the extension vector was dropped or moved. Close it and open it"
                                + " again; if it is the same then, please report it with the cause below",
                        clean(failure));
            case "XX001", "XX002" ->
                unusable(name, "is damaged (" + state + "); restore a backup of the database", clean(failure));
            default ->
                failed(
                        name,
                        PASSING.contains(state)
                                ? "others wrote the same at the same time, again and again; try again"
                                : "this is not expected; please report it with the cause below",
                        failure);
        };
    }

    /** Make the exception for a call that was done too late, and was taken back. */
    static StoreException late(String name) {
        return new StoreException(
                Kind.TIMEOUT, "The store '" + name + "' took too long for a call" + NOTHING_STORED, null);
    }

    /** Make the exception for a commit to which there was no answer. */
    static StoreException unknown(String name, Throwable failure) {
        return new StoreException(
                Kind.TIMEOUT,
                "The store '" + name + "' lost its connection in the middle of a commit (" + state(Causes.sql(failure))
                        + "); what was written may be stored, or not. Read it back.",
                clean(failure));
    }

    /** Make the exception for a database that cannot be opened. */
    static StoreException opening(String name, Throwable failure) {
        String state = state(Causes.sql(failure));
        String what =
                switch (state) {
                    case "28000", "28P01" -> "does not let this user in; check name, password and the server's rules";
                    case "3D000" -> "does not exist; create the database, or name another";
                    case "42501" ->
                        "may not be changed by this user; grant it CREATE on the database, or make the schema its own";
                    case "25006" -> "may only be read; name the primary server, not a standby";
                    case "55P03", "57014" -> "is in use: a transaction holds its tables; try again";
                    case "53300" -> "has no connection left; raise its limit, or use fewer";
                    default ->
                        isLost(failure)
                                ? "cannot be reached; check host and port, and whether the server runs"
                                : "could not be opened; it was not changed";
                };
        return unusable(name, what + " (" + state + ")", clean(failure));
    }

    /** Make the exception for a database that is not to be touched. */
    static StoreException unusable(String name, String what, @Nullable Throwable cause) {
        return new StoreException(Kind.UNUSABLE, "The store '" + name + "' " + what + ".", cause);
    }

    private static StoreException failed(String name, String why, Throwable failure) {
        return new StoreException(Kind.FAILED, message(name, why, failure), clean(failure));
    }

    private static StoreException timeout(String name, String why, Throwable failure) {
        return new StoreException(Kind.TIMEOUT, message(name, why, failure), clean(failure));
    }

    private static String message(String name, String why, Throwable failure) {
        return "The store '" + name + "' could not be read or written (" + state(Causes.sql(failure)) + "): " + why
                + NOTHING_STORED;
    }

    /** Return the five letters of what failed. */
    static String state(Throwable failure) {
        return state(Causes.sql(failure));
    }

    private static String state(@Nullable SQLException cause) {
        String state = cause == null ? null : cause.getSQLState();
        return state == null ? "no state" : state;
    }

    /** Keep what the server said in one line, and where it happened. */
    static Throwable clean(Throwable failure) {
        SQLException cause = Causes.sql(failure);
        if (cause == null) {
            return Causes.plain(failure);
        }
        SQLException clean = new SQLException(words(cause), cause.getSQLState());
        clean.setStackTrace(cause.getStackTrace());
        return clean;
    }

    private static String words(SQLException cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof PSQLException postgres) {
                ServerErrorMessage said = postgres.getServerErrorMessage();
                String words = said == null ? postgres.getMessage() : said.getMessage();
                return postgres.getCause() == null
                        ? String.valueOf(words)
                        : words + " (" + postgres.getCause().getClass().getSimpleName() + ")";
            }
        }
        return cause.getClass().getName();
    }
}
