package dev.chargehand.internal.call;

import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Thrown;
import dev.chargehand.spi.ContextPropagator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What the caller of a root run had on its thread, given again to every thread that runs code which is not ours. */
public final class CallerContext {

    /** Nothing to give. */
    public static final CallerContext NONE = new CallerContext(List.of());

    private static final Log LOG = Log.of(CallerContext.class);

    private final List<ContextPropagator.Captured> captured;

    private CallerContext(List<ContextPropagator.Captured> captured) {
        this.captured = captured;
    }

    /** Capture the context of the calling thread. */
    @SuppressWarnings("CatchingUnchecked") // what a propagator throws changes nothing
    public static CallerContext capture(List<ContextPropagator> propagators) {
        List<ContextPropagator.Captured> captured = new ArrayList<>();
        for (ContextPropagator propagator : propagators) {
            try {
                captured.add(Objects.requireNonNull(propagator.capture(), "capture() returned null"));
            } catch (Throwable t) {
                LOG.warn(
                        "Context propagator {} could not capture: {}",
                        propagator.getClass().getName(),
                        Thrown.describe(t));
            }
        }
        return captured.isEmpty() ? NONE : new CallerContext(List.copyOf(captured));
    }

    /** The context in force on the thread that opened it, until it closes it. */
    @FunctionalInterface
    public interface Opened extends AutoCloseable {
        @Override
        void close();
    }

    /** Put the context in force on the calling thread. */
    public Opened open() {
        if (captured.isEmpty()) {
            return () -> {};
        }
        List<ContextPropagator.Scope> open = new ArrayList<>();
        captured.forEach(each -> open(each, open));
        return () -> open.reversed().forEach(CallerContext::close);
    }

    @SuppressWarnings("CatchingUnchecked") // what a propagator throws changes nothing
    private static void open(ContextPropagator.Captured context, List<ContextPropagator.Scope> open) {
        try {
            open.add(context.open());
        } catch (Throwable t) {
            LOG.warn("A captured context could not be opened: {}", Thrown.describe(t));
        }
    }

    @SuppressWarnings("CatchingUnchecked") // what a propagator throws changes nothing
    private static void close(ContextPropagator.Scope scope) {
        try {
            scope.close();
        } catch (Throwable t) {
            LOG.warn("A captured context could not be closed: {}", Thrown.describe(t));
        }
    }
}
