package dev.chargehand.jdbc;

import dev.chargehand.jdbc.internal.call.StoreTimes;
import java.time.Duration;

/**
 * How a SQLite store writes and waits.
 *
 * @param synchronous what a returned write survives
 * @param callLimit how long a call waits for its answer, above zero; after it, the call throws
 *     {@link dev.chargehand.error.StoreException.Kind#TIMEOUT}. Another process may hold the file's write lock for half
 *     of it
 * @param threadGrace how long a run keeps its thread of messages after its process released it or died, so that it is
 *     resumed before later runs of the thread; zero or more
 */
public record SqliteOptions(Synchronous synchronous, Duration callLimit, Duration threadGrace) {

    /** The durability of a returned write. */
    public enum Synchronous {
        /**
         * A crash of the process, {@code kill -9} included. A power cut or a crash of the operating system may take the
         * last writes back, whole transactions at a time; it never damages the file. A tool call whose intent is taken
         * back so is executed again, under another idempotency key.
         */
        NORMAL,
        /**
         * A power cut too where it must, if the disk keeps its word: the first facts of a root run, the intent of a call
         * that is not repeatable, a call that waits and the answer to it, the end of a root run, and a release. All
         * other writes are as {@link #NORMAL}: what a power cut takes back of them is done again.
         */
        WHERE_NEEDED,
        /** A power cut too, if the disk keeps its word; each group of writes then waits for the disk. */
        FULL
    }

    /** {@link Synchronous#WHERE_NEEDED}, ten seconds for a call, and a minute for the thread of a run that was left. */
    public static final SqliteOptions DEFAULT =
            new SqliteOptions(Synchronous.WHERE_NEEDED, Duration.ofSeconds(10), Duration.ofMinutes(1));

    public SqliteOptions {
        StoreTimes.require(callLimit, threadGrace);
    }

    /** Return these options with another promise about writes. */
    public SqliteOptions synchronous(Synchronous value) {
        return new SqliteOptions(value, callLimit, threadGrace);
    }

    /** Return these options with another limit for a call. */
    public SqliteOptions callLimit(Duration value) {
        return new SqliteOptions(synchronous, value, threadGrace);
    }

    /** Return these options with another time for which a run that was left keeps its thread. */
    public SqliteOptions threadGrace(Duration value) {
        return new SqliteOptions(synchronous, callLimit, value);
    }
}
