package dev.chargehand.spi;

import dev.chargehand.annotation.Experimental;

/**
 * Surrounds every run and every call of application code, for traces and metrics.
 *
 * <p>{@code begin} is called on the thread that waits for the call. On that thread the surrounding run or call is
 * current, so a thread-bound parent is found where it is expected: the parent of a tool call is its run, that of a nested
 * run its delegation, that of the model call of a scorer the scorer. {@link Work#open} and the close of its scope are
 * called on the thread that executes the call, which is usually another one. {@link Work#end} is called exactly once,
 * for time-outs and cancelled runs too.
 *
 * <p>A run: {@code begin} is called on the thread that starts or resumes it, {@link Work#open} on every thread that
 * advances it, {@link Work#end} when it has ended here: finished, suspended or released. A resumed run gets a new
 * {@link Work}. For listeners and closers, {@code begin} is called on the thread that executes them; the run of a closer
 * may have ended then.
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
     * Start to surround a run or a call. Return {@link Work#NONE} for a call that is of no interest.
     *
     * @param call the run or the call; it may be kept
     */
    Work begin(CallInfo call);

    /** One run or call that is surrounded. Thread-safe: a run may be open on several threads at once. */
    interface Work {

        /** Ignores the call. */
        Work NONE = new Work() {};

        /**
         * Make the work current on the calling thread. Closing the scope, on the same thread, restores what was current
         * before.
         *
         * <p>Called at most once for a call, and on every thread that advances a run, perhaps more than once. An
         * abandoned call may be open longer than until its end.
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
