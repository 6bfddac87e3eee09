package dev.chargehand.verify.cancel;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;

import dev.chargehand.AgentRuntime;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.Side;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The runtime of all cases, which come one after the other. */
final class World implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(10);

    /** What a call may take to get from its start to its first statement. */
    private static final Duration BEGINNING = Duration.ofMillis(10);

    private final AgentRuntime runtime;
    private final LoopbackProvider provider;
    private final Latencies socket;
    private final Latencies settled;
    private final Tally tally;
    private volatile @Nullable Playing playing;
    private int threads = -1;

    /** The case that is being played. */
    private record Playing(CancelCase cancel, NestedAgents agents, DeafCode deaf) {}

    World(
            ModelProvider models,
            Store store,
            LoopbackProvider provider,
            Latencies socket,
            Latencies settled,
            Tally tally) {
        this.runtime = AgentRuntime.builder()
                .store(store)
                .providers(new ClosingProvider(models, this::addCloser))
                .build();
        this.provider = provider;
        this.socket = socket;
        this.settled = settled;
        this.tally = tally;
        provider.fallback(this::reply);
    }

    private void addCloser(ModelCall call) {
        Playing now = playing;
        if (now != null && now.cancel().closer() != Closer.NONE) {
            call.onCancel(() -> now.cancel().closer().close(now.deaf()));
        }
    }

    private Reply reply(ReceivedRequest request) {
        String model = request.model();
        Playing now = playing;
        int level = Integer.parseInt(model.substring(model.indexOf('-') + 1));
        return now != null && model.equals(now.cancel().model(level))
                ? now.agents().reply(level)
                : Reply.text("Over.");
    }

    void cancel(CancelCase cancel, String again, boolean shown) {
        DeafCode deaf = new DeafCode();
        NestedAgents agents = new NestedAgents(cancel, deaf);
        playing = new Playing(cancel, agents, deaf);
        Report wrong = what -> tally.addFault("wrong", again + " " + cancel + ": " + what);
        if (shown) {
            System.out.println(cancel);
        }
        try {
            play(cancel, agents, deaf, wrong);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts here.", e);
        } catch (Exception e) {
            wrong.that("the caller got " + e);
        } finally {
            deaf.letGo();
            playing = null;
        }
        if (!becomesTrue(() -> runtime.abandonedCalls().isEmpty() && provider.inFlight() == 0)) {
            tally.addFault(
                    "left",
                    again + " " + cancel + ": " + runtime.abandonedCalls() + ", and " + provider.inFlight()
                            + " requests in flight");
        }
        tally.addCase();
        if (tally.cases() == 20) {
            threads = LiveThreads.count();
        }
    }

    private interface Report {
        void that(String what);
    }

    private void play(CancelCase cancel, NestedAgents agents, DeafCode deaf, Report wrong) throws Exception {
        Caller caller = Caller.start(cancel, runtime, agents);
        if (!cancel.early() && !deaf.started().await(LONG.toSeconds(), TimeUnit.SECONDS)) {
            wrong.that("the moment did not come");
        }
        if (cancel.hasTask() && !becomesTrue(() -> hasTask(cancel))) {
            wrong.that("its task did not start");
        }
        LockSupport.parkNanos(cancel.pause().toNanos());
        long from = System.nanoTime();
        caller.cancel(runtime);
        Caller.Settled end = caller.await();
        settled.add(end.nanos() - from);
        check(cancel, end, wrong);
        checkTask(cancel, end.end().runId(), wrong);
        checkSockets(cancel, from, wrong);
        LockSupport.parkNanos(BEGINNING.toNanos());
        int worked = deaf.calls();
        long asked = provider.requestCount();
        deaf.letGo();
        if (!becomesTrue(() -> runtime.abandonedCalls().isEmpty())) {
            return;
        }
        // A request that was on its way when the run was cancelled may still arrive.
        boolean askedMore = !cancel.early() && provider.requestCount() != asked;
        if (deaf.calls() != worked || askedMore) {
            wrong.that("it went on: " + worked + " calls became " + deaf.calls() + ", " + asked + " requests became "
                    + provider.requestCount());
        }
    }

    private boolean hasTask(CancelCase cancel) {
        return !runtime.tasks(TaskFilter.ofThread(cancel.thread())).isEmpty();
    }

    private void check(CancelCase cancel, Caller.Settled end, Report wrong) {
        Caller.End result = end.end();
        if (!result.stopReason().equals(cancel.end())) {
            wrong.that("it ended as " + result.stopReason());
        }
        if (end.interrupted() != cancel.way().interrupts()) {
            wrong.that("the caller's interrupt flag is " + end.interrupted());
        }
        if (!end.events().isEmpty()) {
            try {
                assertThatEvents(ofTurns(cancel, end.events())).arePaired().endWithRunFinish();
            } catch (AssertionError e) {
                wrong.that(e.toString());
            }
        } else if (cancel.way() != Way.STREAM_CLOSE) {
            wrong.that("no event was told");
        }
        for (RunEvent event : end.events()) {
            if (event instanceof RunEvent.RunFinish finish
                    && finish.status() == RunStatus.ABORTED
                    && !finish.stopReason().equals(cancel.end())) {
                wrong.that("run " + finish.runId() + " of it ended as " + finish.stopReason());
            }
        }
        List<RunRecord> tree = runtime.runs(RunFilter.ROOTS.tree(result.runId()));
        for (RunRecord run : tree) {
            if (!run.status().isEnded()) {
                wrong.that("run " + run.path() + " is stored as " + run.status());
            }
            if (run.isRoot() && run.status() != result.status()) {
                wrong.that("it is stored as " + run.status());
            }
            if (!cancel.early() && run.status() != RunStatus.ABORTED) {
                wrong.that("run " + run.path() + " was not over, and is stored as " + run.status());
            }
        }
        if (!cancel.early() && tree.size() != cancel.runs()) {
            wrong.that("its tree has " + tree.size() + " runs");
        }
        if (tree.isEmpty()) {
            wrong.that("it is not stored");
        }
    }

    /** Return the events of a call without those that are of no run. */
    private static List<RunEvent> ofTurns(CancelCase cancel, List<RunEvent> events) {
        if (!cancel.idle() || cancel.way() == Way.INTERRUPT_GENERATE) {
            return events;
        }
        if (!(events.getLast() instanceof Idle idle) || idle.reason() != IdleReason.CANCELLED) {
            throw new AssertionError("the last event is " + events.getLast());
        }
        return events.stream()
                .filter(event -> !(event instanceof Idle) && !(event instanceof BackgroundTaskEvent))
                .toList();
    }

    /** A background task continues when its run is cancelled, unless all of the call is, and ends when it is cancelled itself. */
    private void checkTask(CancelCase cancel, RunId run, Report wrong) {
        if (cancel.endsTasks()) { // a process that executes one stores its end later
            boolean ignored =
                    becomesTrue(() -> runtime.tasks(TaskFilter.of(run)).stream().noneMatch(World::isOpen));
        }
        List<Task> tasks = runtime.tasks(TaskFilter.of(run));
        boolean expected = cancel.task() && cancel.depth() > 1;
        if (tasks.size() > (expected ? 1 : 0) || (cancel.hasTask() && tasks.isEmpty())) {
            wrong.that("it has the tasks " + tasks);
        }
        for (Task task : tasks) {
            if (isOpen(task) && cancel.endsTasks()) {
                wrong.that("its task was left: " + task);
            } else if (!isOpen(task) && !cancel.endsTasks()) {
                wrong.that("its task went with it: " + task);
            }
        }
        int cancelled = runtime.cancelTasks(run);
        if (cancelled != (cancel.endsTasks() ? 0 : tasks.size())) {
            wrong.that(cancelled + " tasks were cancelled of " + tasks);
        }
        for (Task task : tasks) {
            StopReason end = runtime.task(task.id()).result(LONG).stopReason();
            if (!end.equals(new StopReason.Cancelled("caller"))) {
                wrong.that("its task ended as " + end);
            }
            TaskStatus status = runtime.tasks(TaskFilter.of(run)).getFirst().status();
            if (status != TaskStatus.CANCELLED) {
                wrong.that("its task is stored as " + status);
            }
        }
    }

    private static boolean isOpen(Task task) {
        return task.status() == TaskStatus.PENDING || task.status() == TaskStatus.RUNNING;
    }

    /** Every request that was being answered sees its connection closed, by the client. */
    private void checkSockets(CancelCase cancel, long from, Report wrong) {
        boolean seen = false;
        for (Exchange exchange : provider.log()) {
            if (!exchange.request().model().equals(cancel.model(cancel.depth()))) {
                continue;
            }
            seen = true;
            if (cancel.moment().isOnSocket()) {
                Side by = provider.awaitClosed(exchange, LONG);
                long closed = exchange.closedNanos().orElseThrow();
                if (by != Side.CLIENT) {
                    wrong.that("the " + by + " closed the connection");
                } else if (closed < from && !cancel.early()) {
                    wrong.that("the connection was closed before the run was cancelled");
                }
                socket.add(Math.max(0, closed - from));
            }
        }
        if (!seen && !cancel.early() && cancel.moment() != Moment.PREPARE_STEP) {
            wrong.that("the provider was not asked");
        }
    }

    /** Look for threads that no case can account for. */
    void lookForLeftovers() {
        if (threads >= 0 && !becomesTrue(() -> LiveThreads.count() <= threads + 4)) {
            tally.addFault("left", LiveThreads.count() + " threads, and " + threads + " after the first cases");
        }
    }

    @Override
    public void close() {
        runtime.close();
    }

    private static boolean becomesTrue(BooleanSupplier condition) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(200_000);
        }
        return true;
    }
}
