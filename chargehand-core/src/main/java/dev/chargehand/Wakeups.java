package dev.chargehand;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.store.DueRuns;

/**
 * Which runs a runtime resumes by itself, without a call of {@code resume} or {@code recover}.
 *
 * <p>A suspended run is resumed because of a decision, data or a cancel that any process has stored for it, or because
 * the time of a waiting call is over. Regardless of this value, a runtime notices what is stored for the runs that it
 * executes. Immutable.
 */
public final class Wakeups {

    private static final int DEFAULT_CONCURRENCY = 1000;

    private final DueRuns.Scope scope;
    private final int concurrency;

    private Wakeups(DueRuns.Scope scope, int concurrency) {
        this.scope = scope;
        this.concurrency = concurrency;
    }

    /** Resume suspended runs that this runtime started or resumed before. */
    public static Wakeups own() {
        return new Wakeups(DueRuns.Scope.OWN, DEFAULT_CONCURRENCY);
    }

    /**
     * Resume every run of the store whose agent was given to the runtime: suspended runs, running ones whose process has
     * died or has released them, and pending ones whose turn on their thread has come. For a server; {@code recover}
     * need not be called then. It also does the work on the memory of threads that other processes have left.
     */
    public static Wakeups all() {
        return new Wakeups(DueRuns.Scope.ALL, DEFAULT_CONCURRENCY);
    }

    /** Resume no run. */
    public static Wakeups off() {
        return new Wakeups(DueRuns.Scope.NONE, DEFAULT_CONCURRENCY);
    }

    /**
     * Return these wake-ups with another limit of resumed runs that are executed at once; the others stay in the store
     * until one has ended. Default: 1,000.
     *
     * @throws ConfigurationException if it is not above zero
     */
    @CheckReturnValue
    public Wakeups concurrency(int value) {
        if (value < 1) {
            throw new ConfigurationException(
                    "The number of woken runs that are executed at once must be above zero, but is " + value + ".");
        }
        return new Wakeups(scope, value);
    }

    DueRuns.Scope scope() {
        return scope;
    }

    int concurrency() {
        return concurrency;
    }
}
