package dev.chargehand.run;

/**
 * Carries what an application keeps per thread - a logging context, a trace, a signed-in user - from the thread that
 * starts a run to the threads on which its tools, hooks, listeners, scorers and models run.
 *
 * <p>Captured once, when a root run is started or resumed, on the caller's thread; given again around every call of
 * application code in that run and its descendants. Thread-safe. What a propagator throws is logged and changes nothing.
 */
@FunctionalInterface
public interface ContextPropagator {

    /** Captures the context of the calling thread. */
    Captured capture();

    /** A captured context. Thread-safe: many threads may have it at once. */
    @FunctionalInterface
    interface Captured {

        /** Gives the calling thread the context; closing the scope, on the same thread, takes it away again. */
        Scope open();
    }

    /** A context that is in force on one thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Takes the context away. */
        @Override
        void close();
    }
}
