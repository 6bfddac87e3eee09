package dev.chargehand.spi;

import dev.chargehand.annotation.Experimental;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Carries what an application keeps per thread - a logging context, a trace, a signed-in user - from the thread that
 * starts a run to the threads on which its tools, hooks, listeners, scorers and models run.
 *
 * <p>Captured once, when a root run is started or resumed, on the caller's thread; given again around every call of
 * application code in that run and its descendants. Thread-safe. An exception of a propagator is logged and changes
 * nothing.
 */
@FunctionalInterface
@Experimental
public interface ContextPropagator {

    /** Capture the context of the calling thread. */
    Captured capture();

    /** Return what carries the logging context, SLF4J's {@link MDC}. */
    static ContextPropagator loggingContext() {
        return () -> {
            Map<String, String> callers = MDC.getCopyOfContextMap();
            return () -> {
                Map<String, String> own = MDC.getCopyOfContextMap();
                setLoggingContext(callers);
                return () -> setLoggingContext(own);
            };
        };
    }

    private static void setLoggingContext(@Nullable Map<String, String> values) {
        if (values == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(values);
        }
    }

    /** A captured context. Thread-safe: many threads may have it at once. */
    @FunctionalInterface
    interface Captured {

        /** Give the calling thread the context; closing the scope, on the same thread, takes it away again. */
        Scope open();
    }

    /** A context that is in force on one thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Take the context away. */
        @Override
        void close();
    }
}
