package dev.chargehand.internal.engine;

import dev.chargehand.event.RunListener;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.InstrumentedCall;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.engine.task.EarlierTurns;
import dev.chargehand.internal.engine.tree.RunTree;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.event.EventSink;
import dev.chargehand.internal.event.ListenerPump;
import dev.chargehand.internal.event.Subscription;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a root run needs around it while it is live: its tree, its listeners, its stream if it has one.
 *
 * @param settings the settings that the run is stored with
 * @param options the options of the call that started or resumed it
 * @param work surrounds it
 * @param resumed whether the run is in the store already
 */
record RunSurroundings(
        RunDefinition definition,
        RunId runId,
        OptionValues settings,
        OptionValues options,
        RunTree tree,
        EventSink sink,
        @Nullable Subscription stream,
        List<ListenerPump> pumps,
        InstrumentedCall work,
        boolean resumed) {

    /**
     * Make the surroundings of a run.
     *
     * @param epoch the epoch in which this process writes to it
     * @param streamed whether its caller reads its events
     */
    static RunSurroundings of(
            RuntimeEnvironment environment,
            RunDefinition definition,
            RunInfo run,
            long epoch,
            OptionValues settings,
            OptionValues options,
            boolean streamed,
            boolean resumed) {
        RunId runId = run.runId();
        List<RunListener> listeners = new ArrayList<>(environment.listeners());
        listeners.addAll(options.get(Options.LISTENERS));
        EventSink sink = new EventSink(
                environment.time(), runId, RunAssembly.of(settings).hasNamesOfNetworks(), environment.tenantId());
        CallerContext context = CallerContext.capture(environment.propagators());
        RunTree tree = new RunTree(environment, runId, epoch, settings, sink, resumed, context);
        TimeLimits limits = settings.get(Options.TIME_LIMITS);
        Cancellation cancellation = tree.cancellation();
        List<ListenerPump> pumps = new ArrayList<>();
        Subscription stream = null;
        cancellation.onCancel(sink::release);
        for (RunListener listener : listeners) {
            pumps.add(ListenerPump.start(
                    environment.callouts().with(context),
                    sink,
                    environment.time(),
                    listener,
                    environment.redactor(),
                    CallSite.of(CallInfo.Kind.LISTENER, "", run, runId),
                    limits.get(TimeLimit.HOOK)));
        }
        if (streamed) {
            stream = sink.subscribe(new Subscription.Stall(
                    limits.get(TimeLimit.CONSUMER),
                    () -> cancellation.cancel(new StopReason.Cancelled("consumer-timeout"))));
        }
        InstrumentedCall work = environment.callouts().instruments().beginRun(run, runId);
        return new RunSurroundings(
                definition, runId, settings, options, tree, sink, stream, List.copyOf(pumps), work, resumed);
    }

    OptionValues hooks() {
        return options;
    }

    Cancellation cancellation() {
        return tree.cancellation();
    }

    /**
     * The time of a run that was spent before this process resumed it.
     *
     * @param active the active time of the run
     * @param ofEarlierTurns the active time of the turns before it, if it is a turn of an until-idle call with a wall time in its budget
     * @param isTask whether the run is a background task
     */
    record TimeSpent(Duration active, Duration ofEarlierTurns, boolean isTask) {

        /** That of a run that starts. */
        static final TimeSpent NONE = new TimeSpent(Duration.ZERO, Duration.ZERO, false);

        /** Return that of a run that is resumed. */
        static TimeSpent of(State state, Store store) {
            Background background = state.started().background();
            boolean isBounded = state.started().settings().get(Options.BUDGET).wallTime() != null;
            boolean isTask = background.origin() != null;
            Duration before = isBounded && !isTask
                    ? EarlierTurns.before(state, store)
                            .map(EarlierTurns::activeTime)
                            .orElse(Duration.ZERO)
                    : Duration.ZERO;
            return new TimeSpent(state.activeTime(), before, isTask);
        }
    }

    /** Set the alarms that end the run when its time is spent. */
    List<TimeSource.Alarm> alarms(TimeSource time, TimeSpent spent) {
        Cancellation cancellation = tree.cancellation();
        TimeLimits limits = settings.get(Options.TIME_LIMITS);
        boolean asTask = spent.isTask() && limits.get(TimeLimit.TASK).compareTo(limits.get(TimeLimit.RUN)) < 0;
        TimeLimit first = asTask ? TimeLimit.TASK : TimeLimit.RUN;
        TimeSource.Alarm atLimit = time.schedule(
                limits.get(first).minus(spent.active()),
                () -> cancellation.cancel(new StopReason.LimitReached(first.key())));
        Duration wallTime = settings.get(Options.BUDGET).wallTime();
        return wallTime == null
                ? List.of(atLimit)
                : List.of(
                        atLimit,
                        time.schedule(
                                wallTime.minus(spent.active()).minus(spent.ofEarlierTurns()),
                                () -> cancellation.cancel(new StopReason.BudgetExhausted("wallTime"))));
    }
}
