package dev.chargehand.internal.call;

import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Thrown;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Surrounds runs and calls with the instrumentations of a runtime, whose faults it keeps away from them. Thread-safe.
 *
 * <p>Without an instrumentation nothing is described, nothing is remembered, and all calls share one empty object.
 */
public final class Instruments {

    private static final Log LOG = Log.of(Instruments.class);

    /** How long after a fault no other is logged. */
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final List<Instrumentation> instrumentations;
    private final TimeSource time;
    private final Map<RunId, InstrumentedCall> runs = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Logged> logged = new AtomicReference<>();

    /** When a fault was logged. */
    private record Logged(long nanos) {}

    /** Surround with instrumentations, each inside the ones before it; a time source limits how often faults are logged. */
    public Instruments(List<Instrumentation> instrumentations, TimeSource time) {
        this.instrumentations = List.copyOf(instrumentations);
        this.time = time;
    }

    /** Start to surround a call, on the thread that waits for it. */
    public InstrumentedCall begin(CallSite site) {
        return instrumentations.isEmpty() ? InstrumentedCall.NONE : started(site, ended -> {});
    }

    /** Start to surround a run; until it ends, {@link #within} finds it. */
    public InstrumentedCall beginRun(RunInfo run, RunId root) {
        if (instrumentations.isEmpty()) {
            return InstrumentedCall.NONE;
        }
        RunId runId = run.runId();
        CallSite site = CallSite.of(CallInfo.Kind.RUN, run.agentName(), run, root);
        InstrumentedCall started = started(site, ended -> runs.remove(runId, ended));
        if (started != InstrumentedCall.NONE) {
            runs.put(runId, started);
        }
        return started;
    }

    /** Return the run that a call belongs to, if it was started here and has not ended. */
    InstrumentedCall runOf(CallSite site) {
        return site.run() == null
                ? InstrumentedCall.NONE
                : runs.getOrDefault(site.run().runId(), InstrumentedCall.NONE);
    }

    /** Make a run that was started here current on the calling thread, which is about to do some of its work. */
    public CallerContext.Opened within(RunId runId) {
        return runs.getOrDefault(runId, InstrumentedCall.NONE).open();
    }

    @SuppressWarnings("CatchingUnchecked") // what an instrumentation throws changes nothing
    private InstrumentedCall started(CallSite site, Consumer<InstrumentedCall> onEnd) {
        CallInfo info = site.info();
        List<Instrumentation.Work> works = new ArrayList<>(instrumentations.size());
        for (Instrumentation each : instrumentations) {
            try {
                Instrumentation.Work work = Objects.requireNonNull(each.begin(info), "begin(CallInfo) returned null");
                if (work != Instrumentation.Work.NONE) {
                    works.add(work);
                }
            } catch (Throwable t) {
                report("could not start a call", t);
            }
        }
        return works.isEmpty() ? InstrumentedCall.NONE : new InstrumentedCall(List.copyOf(works), this::report, onEnd);
    }

    private void report(String what, Throwable thrown) {
        long now = time.nanoTime();
        Logged last = logged.get();
        if ((last == null || now - last.nanos() >= QUIET_NANOS) && logged.compareAndSet(last, new Logged(now))) {
            LOG.warn(
                    "An instrumentation {} and was ignored; for a minute no other fault is logged: {}",
                    what,
                    Thrown.describe(thrown));
        }
    }
}
