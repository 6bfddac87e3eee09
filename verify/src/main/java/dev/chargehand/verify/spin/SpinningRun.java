package dev.chargehand.verify.spin;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.run.TimeLimit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A run whose tool or hook computes without end, and a caller that waits for it. */
final class SpinningRun {

    private static final Duration NEVER = Duration.ofMinutes(10);

    private final Ended by;
    private final Duration limit;
    private final Spinning spinning = new Spinning();
    private final long startedNanos = System.nanoTime();
    private final RunStream run;
    private final CompletableFuture<Long> ended = new CompletableFuture<>();
    private volatile long cancelledNanos;

    /** Start it; {@code agentOf} makes the agent of the code of its tool. */
    SpinningRun(AgentOf agentOf, Ended by, Duration limit) {
        this.by = by;
        this.limit = limit;
        this.run = agentOf.work(by == Ended.HOOK ? () -> {} : spinning::spin).stream("Go", this::limit);
        Thread.ofPlatform().name("caller").daemon().start(this::await);
    }

    /** Makes the agent whose tool runs code. */
    interface AgentOf {
        Agent work(Runnable code);
    }

    private void limit(RunOptions.Builder options) {
        options.timeLimit(TimeLimit.TOOL, by == Ended.TOOL ? limit : NEVER);
        options.timeLimit(TimeLimit.RUN, by == Ended.RUN ? limit : NEVER);
        if (by == Ended.HOOK) {
            options.timeLimit(TimeLimit.HOOK, limit);
            options.beforeToolCall(call -> {
                spinning.spin();
                return ToolCallDecision.allow();
            });
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever it is, it is how the run ended
    private void await() {
        try {
            run.result();
            ended.complete(System.nanoTime());
        } catch (Throwable t) {
            ended.completeExceptionally(t);
        }
    }

    /** Return whether its code computes, or had no time to start. */
    boolean isOnItsWay() {
        return spinning.hasStarted() || ended.isDone();
    }

    void cancelIfThatEndsIt() {
        if (by == Ended.CANCEL) {
            cancelledNanos = System.nanoTime();
            run.cancel();
        }
    }

    /** Return how long after its time it ended, waiting for that. */
    long lateNanos(Duration atMost) throws Exception {
        long end = ended.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        long due =
                switch (by) {
                    case CANCEL -> cancelledNanos;
                    case RUN -> startedNanos + limit.toNanos();
                    case TOOL, HOOK -> spinning.hasStarted() ? spinning.startedNanos() + limit.toNanos() : end;
                };
        return Math.max(0, end - due);
    }

    void letGo() {
        spinning.end();
    }

    Ended by() {
        return by;
    }
}
