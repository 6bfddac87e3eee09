package dev.chargehand.internal.thread;

/**
 * The threads of foreign code, which must not be able to starve the runs.
 *
 * <p>Runs, and what they call, are virtual threads, which share a few carriers and are not sliced by time. Where the
 * JDK can be given more carriers, foreign code runs on virtual threads too, and {@link CarrierWatch} replaces the
 * carriers that it occupies; elsewhere it runs on platform threads. Thread-safe.
 */
public interface ForeignThreads extends AutoCloseable {

    /** Open the threads of a runtime, of the kind that this JDK can protect the runs from. */
    static ForeignThreads open() {
        return CarrierScheduler.canGrow() ? WatchedThreads.open(CarrierWatch.ofProcess()) : new PooledThreads();
    }

    /** Return what the threads of runs wait for. */
    RunWaits waits();

    /** Run work on a thread of its own. */
    void start(String name, Runnable work);

    /** Count something that has started and wait for foreign code: until it is over, runs must not starve. */
    void enter();

    /** Count something that is over. */
    void leave();

    /** End what protects the runs; work that is running continues. */
    @Override
    void close();
}
