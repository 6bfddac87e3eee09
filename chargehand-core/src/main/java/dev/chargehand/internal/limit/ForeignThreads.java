package dev.chargehand.internal.limit;

/**
 * The threads of foreign code, which must not be able to starve the runs, whatever it does on them.
 *
 * <p>Runs, and what they call, are virtual threads, which share a few carriers and are not sliced by time. Where the
 * JDK can be given more carriers, foreign code runs on virtual threads too, and {@link CarrierWatch} replaces the
 * carriers that it occupies; elsewhere it runs on platform threads. Thread-safe.
 */
public interface ForeignThreads extends AutoCloseable {

    /** Opens the threads of a runtime, of the kind that this JDK can protect the runs from. */
    static ForeignThreads open() {
        return CarrierScheduler.canGrow() ? WatchedThreads.open(CarrierWatch.ofProcess()) : new PooledThreads();
    }

    /** Runs work on a thread of its own. */
    void start(String name, Runnable work);

    /** Counts something that has begun and waits for foreign code: until it is over, runs must not starve. */
    void enter();

    /** Counts something that is over. */
    void leave();

    /** Ends what protects the runs; work that is running goes on. */
    @Override
    void close();
}
