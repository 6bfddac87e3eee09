package dev.chargehand.internal.call;

import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run or a call that the instrumentations of a runtime surround. Throws nothing. Thread-safe. */
public final class InstrumentedCall {

    /** Surrounded by nothing; shared by all calls of a runtime without instrumentation. */
    public static final InstrumentedCall NONE = new InstrumentedCall(List.of(), (what, thrown) -> {}, ended -> {});

    private static final CallerContext.Opened NOTHING = () -> {};

    private final List<Instrumentation.Work> works;
    private final Faults faults;
    private final Consumer<InstrumentedCall> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Takes faults of instrumentations. */
    @FunctionalInterface
    interface Faults {

        /** Report a fault. */
        void report(String what, Throwable thrown);
    }

    InstrumentedCall(List<Instrumentation.Work> works, Faults faults, Consumer<InstrumentedCall> onEnd) {
        this.works = works;
        this.faults = faults;
        this.onEnd = onEnd;
    }

    /** Make it current on the calling thread, until the same thread closes what is returned. */
    public CallerContext.Opened open() {
        if (works.isEmpty()) {
            return NOTHING;
        }
        List<Instrumentation.Scope> open = new ArrayList<>(works.size());
        works.forEach(work -> open(work, open));
        return () -> open.reversed().forEach(this::close);
    }

    @SuppressWarnings("CatchingUnchecked") // what an instrumentation throws changes nothing
    private void open(Instrumentation.Work work, List<Instrumentation.Scope> open) {
        try {
            open.add(Objects.requireNonNull(work.open(), "open() returned null"));
        } catch (Throwable t) {
            faults.report("could not open a call", t);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // what an instrumentation throws changes nothing
    private void close(Instrumentation.Scope scope) {
        try {
            scope.close();
        } catch (Throwable t) {
            faults.report("could not close a call", t);
        }
    }

    /** End it; only the first end counts. */
    public void end(Outcome outcome) {
        if (!works.isEmpty() && ended.compareAndSet(false, true)) {
            works.reversed().forEach(work -> end(work, outcome));
            onEnd.accept(this);
        }
    }

    /** End it with what was thrown while it was executed here: a run that is to end, or is left, did not fail. */
    public void end(Throwable thrown) {
        if (!works.isEmpty()) {
            end(outcome(thrown));
        }
    }

    static Outcome outcome(Throwable thrown) {
        return switch (thrown) {
            case RunInterruptedException ignored -> Outcome.cancelled();
            case RunLeftException ignored -> Outcome.released();
            default -> Outcome.failed(thrown);
        };
    }

    /** Return how a call ended that threw this, or nothing; one whose run was cancelled meanwhile did not fail. */
    static Outcome outcome(@Nullable Throwable thrown, Cancellation cancellation) {
        if (thrown == null) {
            return Outcome.succeeded();
        }
        if (cancellation.isCancelled()) {
            return cancellation.isAbandoned() ? Outcome.released() : Outcome.cancelled();
        }
        return outcome(thrown);
    }

    @SuppressWarnings("CatchingUnchecked") // what an instrumentation throws changes nothing
    private void end(Instrumentation.Work work, Outcome outcome) {
        try {
            work.end(outcome);
        } catch (Throwable t) {
            faults.report("could not end a call", t);
        }
    }
}
