package dev.chargehand.jdbc;

import java.time.Duration;

/**
 * How a SQLite store writes and waits.
 *
 * @param synchronous what a returned write survives
 * @param callLimit how long a call waits for its answer, above zero; after it, the call throws
 *     {@link dev.chargehand.error.StoreException.Kind#TIMEOUT}. Another process may hold the file's write lock for half
 *     of it
 */
public record SqliteOptions(Synchronous synchronous, Duration callLimit) {

    /** The durability of a returned write. */
    public enum Synchronous {
        /**
         * A crash of the process, {@code kill -9} included. A power cut or a crash of the operating system may take the
         * last writes back, whole transactions at a time; it never damages the file. A tool call whose intent is taken
         * back so is executed again, under another idempotency key.
         */
        NORMAL,
        /**
         * A power cut too where it must, if the disk keeps its word: the first facts of a run, the intent of a call
         * that is not repeatable, a call that waits and the answer to it, the end of a root run, and a release. All
         * other writes are as {@link #NORMAL}: what a power cut takes back of them is done again.
         */
        WHERE_NEEDED,
        /** A power cut too, if the disk keeps its word; each group of writes then waits for the disk. */
        FULL
    }

    /** {@link Synchronous#WHERE_NEEDED}, and ten seconds for a call. */
    public static final SqliteOptions DEFAULT = new SqliteOptions(Synchronous.WHERE_NEEDED, Duration.ofSeconds(10));

    public SqliteOptions {
        if (!callLimit.isPositive()) {
            throw new IllegalArgumentException("The call limit of a store must be above zero, not " + callLimit + ".");
        }
    }

    /** Return these options with another promise about writes. */
    public SqliteOptions synchronous(Synchronous value) {
        return new SqliteOptions(value, callLimit);
    }

    /** Return these options with another limit for a call. */
    public SqliteOptions callLimit(Duration value) {
        return new SqliteOptions(synchronous, value);
    }
}
