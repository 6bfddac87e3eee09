package dev.chargehand.jdbc;

import dev.chargehand.jdbc.internal.call.StoreTimes;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The place of a store in a PostgreSQL database, and how it waits.
 *
 * @param schema the schema that holds the store's tables and nothing else; created if it is missing. Lower-case
 *     letters, digits and underscores
 * @param connections how many calls are on their way at once, from 1; with a URL, also the size of the pool
 * @param callLimit how long a call waits for its answer, above zero; after it, the call throws
 *     {@link dev.chargehand.error.StoreException.Kind#TIMEOUT}. The database ends a statement after the same time, and
 *     one that waits for another transaction's lock after half of it
 * @param threadGrace how long a run keeps its thread of messages after its process released it or died, so that it is
 *     resumed before later runs of the thread; zero or more
 * @param notifications where to listen for the deliveries, submitted and released runs of other processes; empty to
 *     look for them
 * @param vectors how vectors of messages are kept; the schema keeps to one form
 */
public record PostgresOptions(
        String schema,
        int connections,
        Duration callLimit,
        Duration threadGrace,
        Optional<NotificationUrl> notifications,
        VectorColumn vectors) {

    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    /**
     * The schema {@code chargehand}, eight connections, ten seconds for a call, a minute for the thread of a run that
     * was left, and vectors as bytes.
     */
    public static final PostgresOptions DEFAULT = new PostgresOptions(
            "chargehand", 8, Duration.ofSeconds(10), Duration.ofMinutes(1), Optional.empty(), VectorColumn.BYTEA);

    /**
     * How vectors of messages are kept and searched. Both ways find the same messages, but for those whose similarity differs by
     * less than the rounding of 8 bits.
     */
    public enum VectorColumn {
        /** As 8 bits for each dimension, in a column that any PostgreSQL has; a search reads and compares them in this process. */
        BYTEA,
        /**
         * As floats in a column of the extension <a href="https://github.com/pgvector/pgvector">pgvector</a>; the server compares
         * them. At most 16,000 dimensions.
         */
        PGVECTOR,
        /** As the schema keeps them already, and {@link #BYTEA} in a new one: for a program that works with any store. */
        AS_FOUND
    }

    /**
     * A URL of a connection that listens. Its text has neither settings nor what is before an {@code @}, since both may
     * contain a password.
     *
     * @param value the URL
     */
    public record NotificationUrl(String value) {
        @Override
        public String toString() {
            String address = value.split("\\?", 2)[0];
            int login = address.lastIndexOf('@');
            return login < 0 ? address : address.substring(login + 1);
        }
    }

    public PostgresOptions {
        if (!SCHEMA.matcher(schema).matches() || schema.startsWith("pg_")) {
            throw new IllegalArgumentException(
                    "A schema is named by up to 63 lower-case letters, digits and underscores, and starts neither with"
                            + " a digit nor with pg_; '" + schema + "' is not.");
        }
        if (connections < 1) {
            throw new IllegalArgumentException("A store needs at least one connection, not " + connections + ".");
        }
        StoreTimes.require(callLimit, threadGrace);
    }

    /** Return these options with another schema. */
    public PostgresOptions schema(String value) {
        return new PostgresOptions(value, connections, callLimit, threadGrace, notifications, vectors);
    }

    /** Return these options with another number of connections. */
    public PostgresOptions connections(int value) {
        return new PostgresOptions(schema, value, callLimit, threadGrace, notifications, vectors);
    }

    /** Return these options with another limit for a call. */
    public PostgresOptions callLimit(Duration value) {
        return new PostgresOptions(schema, connections, value, threadGrace, notifications, vectors);
    }

    /** Return these options with another time for which a run that was left keeps its thread. */
    public PostgresOptions threadGrace(Duration value) {
        return new PostgresOptions(schema, connections, callLimit, value, notifications, vectors);
    }

    /**
     * Return these options with notifications: the store listens on one connection of its own, and learns at once what
     * other processes with this option deliver, submit and release, instead of within 250 ms. If the connection breaks,
     * it is opened again; until then the store looks as before.
     *
     * @param url such as {@code jdbc:postgresql://host/database}, of the same database; a session of its own, so not
     *     through a transaction pooler. User and password are those of the store unless the URL names others, as
     *     {@code ?user=…&password=…}
     * @throws dev.chargehand.error.ConfigurationException when the store is opened, if it is not such a URL
     */
    public PostgresOptions notify(String url) {
        return new PostgresOptions(
                schema, connections, callLimit, threadGrace, Optional.of(new NotificationUrl(url)), vectors);
    }

    /**
     * Return these options with another form of vectors. A schema records the form in which it keeps them.
     *
     * <p>A store whose schema has vectors in the other form is not opened: delete them first, with all processes that use the
     * schema closed. {@link VectorColumn#PGVECTOR} needs the extension {@code vector} in the database, in any schema; if it is
     * missing, it is created in {@code public}, where the user may do that.
     *
     * @throws dev.chargehand.error.StoreException when the store is opened, {@code UNUSABLE}, if the schema has vectors in the other
     *     form, if another process uses the store while the form would change, or if the extension cannot be used
     */
    public PostgresOptions vectors(VectorColumn value) {
        return new PostgresOptions(schema, connections, callLimit, threadGrace, notifications, value);
    }

    /**
     * Return the settings that a transaction of the store needs.
     *
     * <p>The one for idle transactions protects other processes: if this process freezes or loses its network within a transaction,
     * the database ends the transaction, and a process that takes over the run does not wait for the row. The bound of a whole
     * transaction, which PostgreSQL has since version 17, is lifted: it would end the connection of a call that is within its limit.
     *
     * @param scope {@code SESSION} or {@code LOCAL}, for one transaction
     */
    String settings(String scope) {
        long limit = Math.clamp(callLimit.toMillis(), 2, Integer.MAX_VALUE);
        String set = "SET " + scope + " ";
        return set + "search_path = \"" + schema + "\"; "
                + set + "statement_timeout = " + limit + "; "
                + set + "lock_timeout = " + limit / 2 + "; "
                + set + "idle_in_transaction_session_timeout = " + limit + "; "
                + lifted("transaction_timeout", scope.equals("LOCAL"));
    }

    /** Return what lifts a bound of the server if it is of a version that has it. */
    static String lifted(String bound, boolean local) {
        return "SELECT set_config('" + bound + "', '0', " + local + ") WHERE current_setting('" + bound
                + "', true) IS NOT NULL";
    }
}
