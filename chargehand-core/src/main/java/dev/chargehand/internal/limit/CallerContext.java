package dev.chargehand.internal.limit;

import dev.chargehand.run.ContextPropagator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the caller of a root run had on its thread, given again to every thread that runs code which is not ours. */
public final class CallerContext {

    /** Nothing to give. */
    public static final CallerContext NONE = new CallerContext(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);

    private final List<ContextPropagator.Captured> captured;

    private CallerContext(List<ContextPropagator.Captured> captured) {
        this.captured = captured;
    }

    /** Captures the context of the calling thread. */
    public static CallerContext capture(List<ContextPropagator> propagators) {
        List<ContextPropagator.Captured> captured = new ArrayList<>();
        for (ContextPropagator propagator : propagators) {
            try {
                captured.add(propagator.capture());
            } catch (RuntimeException e) {
                LOG.warn("Context propagator {} could not capture: {}", propagator, e.toString());
            }
        }
        return captured.isEmpty() ? NONE : new CallerContext(List.copyOf(captured));
    }

    /** Does work with the context in force on the calling thread. */
    public <T extends @Nullable Object> T within(Callable<T> work) throws Exception {
        if (captured.isEmpty()) {
            return work.call();
        }
        List<ContextPropagator.Scope> open = new ArrayList<>();
        try {
            captured.forEach(each -> open(each, open));
            return work.call();
        } finally {
            open.reversed().forEach(CallerContext::close);
        }
    }

    private static void open(ContextPropagator.Captured context, List<ContextPropagator.Scope> open) {
        try {
            open.add(context.open());
        } catch (RuntimeException e) {
            LOG.warn("A captured context could not be opened: {}", e.toString());
        }
    }

    private static void close(ContextPropagator.Scope scope) {
        try {
            scope.close();
        } catch (RuntimeException e) {
            LOG.warn("A captured context could not be closed: {}", e.toString());
        }
    }
}
