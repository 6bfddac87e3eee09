package dev.chargehand.verify.workflows;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Until;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * A random workflow on whose store two runtimes work: one executes it and the other cancels it, or both continue what a third has left.
 * Used once.
 */
final class RacedRun {

    private static final long MOST_WORK = TimeUnit.MILLISECONDS.toNanos(3);
    private static final long MOST_PAUSE = TimeUnit.MILLISECONDS.toNanos(60);
    private static final int MOST_APPENDS = 40;

    private final StorePlace place;
    private final SplittableRandom random;
    private final BiConsumer<String, String> fault;
    private final List<Part> parts;
    private final long input;
    private final Workflow<Long, Long> workflow;
    private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
    private final Set<String> calls = ConcurrentHashMap.newKeySet();

    /**
     * Make it.
     *
     * @param fault hears the kind of a fault and what it is
     */
    RacedRun(StorePlace place, SplittableRandom random, BiConsumer<String, String> fault) {
        this.place = place;
        this.random = random;
        this.parts = Part.killed(random);
        this.input = random.nextInt(1_000);
        this.workflow = new Definition(this::work).of(parts);
        this.fault = (kind, what) -> fault.accept(kind, what + " of " + parts + " with " + input);
    }

    private void work(Part.Work work, String call, WorkflowContext context) {
        calls.add(call);
        attempts.merge(call + " attempt " + context.attempt(), 1, Integer::sum);
        LockSupport.parkNanos(Math.floorMod(call.hashCode() * 7_919L, MOST_WORK));
    }

    /** Let one runtime cancel what the other executes, and return whether that was in time. */
    boolean cancel() {
        try (AgentRuntime executing = WorkflowsHarness.runtime(workflow, place.open());
                AgentRuntime cancelling = WorkflowsHarness.runtime(workflow, place.open())) {
            RunHandle started = executing.start(workflow, input, o -> {});
            LockSupport.parkNanos(random.nextLong(MOST_PAUSE));
            boolean taken = cancelling.cancel(started.runId());
            RunResult result = WorkflowsHarness.result(started);
            RunFacts facts = facts(executing, started.runId());
            boolean cancelled = result.stopReason() instanceof StopReason.Cancelled;
            if (!cancelled) {
                compare(result, facts);
            }
            if (cancelled != taken) {
                fault.accept("different", "cancel returned " + taken + ", and it ended as " + result.stopReason());
            }
            if (facts.hasBegunAfterCancel()) {
                fault.accept("doubled", "something has begun after the end: " + facts);
            }
            RunResult seen = WorkflowsHarness.result(cancelling.handle(started.runId()));
            if (!seen.stopReason().equals(result.stopReason())) {
                fault.accept("different", "the others see " + seen.stopReason() + " and not " + result.stopReason());
            }
            done(facts);
            return cancelled;
        }
    }

    /** Let both runtimes continue a run at once, after the store of the first process has failed at a random append. */
    void continueAt() throws InterruptedException {
        WorkflowsHarness.die(workflow, input, WorkflowsHarness.dying(random.nextInt(1, MOST_APPENDS), place.open()));
        try (AgentRuntime one = WorkflowsHarness.runtime(workflow, place.open());
                AgentRuntime other = WorkflowsHarness.runtime(workflow, place.open())) {
            List<RunRecord> runs = one.runs(RunFilter.ALL);
            if (runs.isEmpty() || runs.getFirst().status().isEnded()) {
                return;
            }
            RunId run = runs.getFirst().runId();
            attempts.clear();
            CountDownLatch go = new CountDownLatch(1);
            List<FutureTask<Void>> both = List.of(task(one, run, go), task(other, run, go));
            both.forEach(task -> Thread.ofVirtual().start(task));
            go.countDown();
            for (FutureTask<Void> task : both) {
                try {
                    task.get();
                } catch (ExecutionException e) {
                    fault.accept("lost", "it cannot be continued: " + e.getCause());
                }
            }
            for (AgentRuntime each : List.of(one, other)) {
                RunResult result = WorkflowsHarness.result(each.handle(run));
                compare(result, facts(each, run));
            }
            done(facts(one, run));
        }
    }

    private FutureTask<Void> task(AgentRuntime runtime, RunId run, CountDownLatch go) {
        int deed = random.nextInt(3);
        return new FutureTask<>(() -> {
            go.await();
            try {
                switch (deed) {
                    case 0 -> WorkflowsHarness.result(runtime.resume(run, o -> {}));
                    case 1 -> runtime.advance(run, Until.never());
                    default -> runtime.recover().await();
                }
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.FENCED) {
                    throw e;
                }
            }
            return null;
        });
    }

    private void compare(RunResult result, RunFacts facts) {
        Interpreter expected = new Interpreter(facts.unknown());
        String end = expected.run(parts, input);
        if (!end.equals(WorkflowsHarness.ended(result))) {
            fault.accept("different", "it ends as " + WorkflowsHarness.ended(result) + " and not as " + end);
        }
        Map<String, Long> state =
                new TreeMap<>(result.workflowState().orElseThrow().as(Definition.stateType()));
        if (!state.equals(expected.state)) {
            fault.accept("different", "its state is " + state + " and not " + expected.state);
        }
    }

    private void done(RunFacts facts) {
        Interpreter expected = new Interpreter(facts.unknown());
        String ignored = expected.run(parts, input);
        attempts.forEach((attempt, times) -> {
            if (times > 1) {
                fault.accept("doubled", attempt + " was executed " + times + " times");
            }
        });
        Set<String> without = new HashSet<>(calls);
        without.removeAll(facts.opened());
        if (!without.isEmpty()) {
            fault.accept("doubled", without + " were executed without an intent");
        }
        Set<String> more = new HashSet<>(calls);
        more.removeAll(expected.calls);
        if (!more.isEmpty()) {
            fault.accept("doubled", more + " were executed, and should not have been");
        }
    }

    private static RunFacts facts(AgentRuntime runtime, RunId run) {
        return RunFacts.of(runtime.store().read(run, 0));
    }
}
