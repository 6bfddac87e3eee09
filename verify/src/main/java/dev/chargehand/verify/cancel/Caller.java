package dev.chargehand.verify.cancel;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.background.IdleReason;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.workflow.WorkflowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who started the run and waits for it, on a thread of its own. */
final class Caller {

    private static final NestedWorkflows.Request INPUT = new NestedWorkflows.Request("Go");

    private final Way way;
    private final List<RunEvent> events = new ArrayList<>();
    private final CompletableFuture<Settled> settled = new CompletableFuture<>();
    private final @Nullable RunStream stream;
    private final @Nullable IdleStream turns;
    private final @Nullable String why;
    private final Thread thread;

    /**
     * How the run ended for its caller.
     *
     * @param nanos when
     * @param interrupted whether the caller's thread was left interrupted
     */
    record Settled(End end, List<RunEvent> events, long nanos, boolean interrupted) {}

    /** The end of a run. */
    record End(RunId runId, RunStatus status, StopReason stopReason) {

        static End of(RunResult result) {
            return new End(result.runId(), result.status(), result.stopReason());
        }

        /** The last turn is the one that was cancelled. */
        static End of(IdleResult result) {
            if (result.reason() != IdleReason.CANCELLED) {
                throw new IllegalStateException("The call ended as " + result.reason() + ", with " + result.turns());
            }
            return of(result.turns().getLast());
        }

        static End of(WorkflowResult<?> result) {
            return new End(result.runId(), result.status(), result.stopReason());
        }
    }

    @SuppressWarnings("deprecation") // networks are cancelled as other runs are
    private Caller(CancelCase cancel, AgentRuntime runtime, NestedAgents agents) {
        this.way = cancel.way();
        this.why = cancel.why();
        if (way == Way.INTERRUPT_GENERATE) {
            Consumer<RunOptions.Builder> options = o -> {
                set(cancel, o);
                o.addListener(events::add);
            };
            this.stream = null;
            this.turns = null;
            this.thread = Thread.ofVirtual()
                    .unstarted(() -> settle(() -> {
                        if (cancel.isWorkflow()) {
                            return End.of(runtime.run(agents.workflow(), INPUT, options));
                        }
                        Agent agent = runtime.bind(agents.outermost());
                        if (cancel.idle()) {
                            return End.of(agent.generateUntilIdle("Go", options));
                        }
                        return End.of(
                                cancel.network()
                                        ? agent.generateNetwork("Go", options)
                                        : agent.generate("Go", options));
                    }));
        } else if (cancel.idle()) {
            IdleStream opened = runtime.bind(agents.outermost()).streamUntilIdle("Go", o -> set(cancel, o));
            this.stream = null;
            this.turns = opened;
            this.thread = Thread.ofVirtual()
                    .unstarted(() -> settle(() -> {
                        opened.forEach(events::add);
                        return End.of(opened.result());
                    }));
        } else {
            Consumer<RunOptions.Builder> options = o -> set(cancel, o);
            RunStream opened;
            this.turns = null;
            if (cancel.isWorkflow()) {
                opened = runtime.stream(agents.workflow(), INPUT, options);
            } else {
                Agent agent = runtime.bind(agents.outermost());
                opened = cancel.network() ? agent.network("Go", options) : agent.stream("Go", options);
            }
            this.stream = opened;
            this.thread = Thread.ofVirtual().unstarted(() -> settle(() -> read(opened)));
        }
    }

    private static void set(CancelCase cancel, RunOptions.Builder options) {
        options.limit(Limit.DEPTH, cancel.runs() + 1);
        if (cancel.network() || cancel.task()) {
            options.thread(cancel.thread());
        }
        if (cancel.structured()) {
            options.structuredOutput(StructuredOutput.of(Said.class));
        }
    }

    /** What the answer is to be where it is to be an object. */
    record Said(String text) {}

    static Caller start(CancelCase cancel, AgentRuntime runtime, NestedAgents agents) {
        Caller caller = new Caller(cancel, runtime, agents);
        caller.thread.start();
        return caller;
    }

    private interface Waiting {
        End await();
    }

    private End read(RunStream run) {
        if (way == Way.STREAM_CLOSE) {
            return End.of(run.result()); // the stream is closed beside it, and nobody reads
        }
        run.forEach(events::add);
        return End.of(run.result());
    }

    @SuppressWarnings("CatchingUnchecked") // whatever comes out of it is how it ended
    private void settle(Waiting waiting) {
        try {
            End end = waiting.await();
            settled.complete(new Settled(
                    end, events, System.nanoTime(), Thread.currentThread().isInterrupted()));
        } catch (Throwable t) {
            settled.completeExceptionally(t);
        }
    }

    /** Cancel the run in the way of the case. */
    void cancel(AgentRuntime runtime) {
        RunStream opened = stream;
        switch (way) {
            case STREAM_CANCEL -> {
                if (opened != null) {
                    opened.cancel();
                }
                if (turns != null) {
                    turns.cancel();
                }
            }
            case RUNTIME_CANCEL -> {
                RunId run = turns != null
                        ? turns.runId()
                        : Objects.requireNonNull(opened).runId();
                if (!(why == null ? runtime.cancel(run) : runtime.cancel(run, why))) {
                    throw new IllegalStateException("The runtime does not know the run.");
                }
            }
            case STREAM_CLOSE -> {
                if (opened != null) {
                    opened.close();
                }
            }
            case INTERRUPT_READER, INTERRUPT_GENERATE -> thread.interrupt();
        }
    }

    Settled await() throws Exception {
        return settled.get(10, TimeUnit.SECONDS);
    }
}
