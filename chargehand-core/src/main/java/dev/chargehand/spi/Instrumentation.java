package dev.chargehand.spi;

import dev.chargehand.annotation.Experimental;

/**
 * Surrounds every run and every call of application code, for traces and metrics.
 *
 * <p>{@link #begin} is called on the thread that waits for the call. On that thread the work of the surrounding run or
 * call is open, so a thread-bound parent is found where it is expected: a model call is begun while its run is open, a
 * nested run while its delegation is, the model call of a scorer while the scorer is. {@link Work#open} and the close of
 * its scope are called on the thread that executes the call, which is usually another one. {@link Work#end} is called
 * exactly once, for time-outs and cancelled runs too.
 *
 * <p>A run is begun on the thread that starts or resumes it, and open on every thread that advances it. It ends when it
 * has ended here: finished, suspended or released. A resumed run is begun again. Calls of listeners and closers are
 * begun on the thread that executes them.
 *
 * <p>Must be thread-safe and must not block, since runs wait for it. An instrumentation that throws or returns null
 * changes nothing: the fault is logged, at most once a minute, and otherwise ignored. Grows by default methods only.
 */
@FunctionalInterface
@Experimental
public interface Instrumentation {

    /** Surrounds nothing. */
    Instrumentation NONE = call -> Work.NONE;

    /**
     * Begin a run or a call. Return {@link Work#NONE} for a call that is of no interest.
     *
     * @param call the run or the call; it may be kept
     */
    Work begin(CallInfo call);

    /** One run or call that has begun. Thread-safe: a run may be open on several threads at once. */
    interface Work {

        /** Ignores the call. */
        Work NONE = new Work() {};

        /**
         * Make the work current on the calling thread. Closing the scope, on the same thread, restores what was current
         * before.
         *
         * <p>Called once for a call, unless it is abandoned before it starts, and once on every thread that advances a
         * run. An abandoned call may be open longer than until its end.
         */
        default Scope open() {
            return Scope.NONE;
        }

        /** End the work. Called exactly once, on any thread. */
        default void end(Outcome outcome) {}
    }

    /** A work that is current on one thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Restores nothing. */
        Scope NONE = () -> {};

        /** Restore what was current before. */
        @Override
        void close();
    }
}
