package dev.chargehand.internal.run;

import dev.chargehand.RunHooks;
import dev.chargehand.RunSettings;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.limit.CallerContext;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.stream.EventSink;
import dev.chargehand.internal.stream.ListenerPump;
import dev.chargehand.internal.stream.Subscription;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import dev.chargehand.run.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a root run needs around it while it is live: its tree, its listeners, its stream if it has one. */
record Surroundings(
        Tree tree,
        RunHooks hooks,
        @Nullable EventSink sink,
        @Nullable Subscription stream,
        List<ListenerPump> pumps,
        boolean resumed) {

    /**
     * Makes the surroundings of a run.
     *
     * @param streamed whether its caller reads its events
     * @param resumed whether the run is in the store already
     * @param answer the answer because of which it is resumed, or null
     */
    static Surroundings of(
            Environment environment,
            RunId runId,
            RunSettings settings,
            RunHooks hooks,
            boolean streamed,
            boolean resumed,
            @Nullable Answer answer) {
        List<RunListener> listeners = new ArrayList<>(environment.listeners());
        listeners.addAll(hooks.listeners());
        EventSink sink = streamed || !listeners.isEmpty()
                ? new EventSink(environment.time(), runId, settings.kind().isNetwork())
                : null;
        CallerContext context = CallerContext.capture(environment.propagators());
        Tree tree = new Tree(environment, runId, settings, sink, resumed, answer, context);
        TimeLimits limits = settings.timeLimits();
        Cancellation cancellation = tree.cancellation();
        List<ListenerPump> pumps = new ArrayList<>();
        Subscription stream = null;
        if (sink != null) {
            cancellation.onCancel(sink::release);
            for (RunListener listener : listeners) {
                pumps.add(ListenerPump.start(
                        environment.callouts().threads(),
                        sink,
                        environment.time(),
                        listener,
                        environment.redactor(),
                        context,
                        limits.get(TimeLimit.HOOK)));
            }
            if (streamed) {
                stream = sink.subscribe(new Subscription.Stall(
                        limits.get(TimeLimit.CONSUMER),
                        () -> cancellation.cancel(new StopReason.Cancelled("consumer-timeout"))));
            }
        }
        return new Surroundings(tree, hooks, sink, stream, List.copyOf(pumps), resumed);
    }

    /**
     * Sets the alarms that end the run when its time is spent.
     *
     * @param active how much of it was spent before this process resumed the run
     */
    List<TimeSource.Alarm> alarms(TimeSource time, RunSettings settings, Duration active) {
        Cancellation cancellation = tree.cancellation();
        Duration limit = settings.timeLimits().get(TimeLimit.RUN).minus(active);
        TimeSource.Alarm atLimit =
                time.schedule(limit, () -> cancellation.cancel(new StopReason.LimitReached(TimeLimit.RUN.key())));
        Duration wallTime = settings.budget().wallTime();
        return wallTime == null
                ? List.of(atLimit)
                : List.of(
                        atLimit,
                        time.schedule(
                                wallTime.minus(active),
                                () -> cancellation.cancel(new StopReason.BudgetExhausted("wallTime"))));
    }
}
