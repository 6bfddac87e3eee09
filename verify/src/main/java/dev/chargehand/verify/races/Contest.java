package dev.chargehand.verify.races;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Contenders in one process: each on a thread of its own, all let go at once. */
final class Contest {

    /** The end of a delay for which a contender keeps its processor, so that it acts on time. */
    private static final long SPUN_NANOS = 500_000;

    private final IntFunction<AgentRuntime> places;
    private final RunId run;
    private final List<PendingApproval> approvals;
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch ready;
    private final List<FutureTask<Outcome>> tasks = new ArrayList<>();

    /**
     * Prepare the contenders and wait until each is at the start.
     *
     * @param places the runtime of each place
     */
    Contest(IntFunction<AgentRuntime> places, RunId run, List<PendingApproval> approvals, List<Contender> contenders)
            throws InterruptedException {
        this.places = places;
        this.run = run;
        this.approvals = List.copyOf(approvals);
        this.ready = new CountDownLatch(contenders.size());
        for (Contender contender : contenders) {
            FutureTask<Outcome> task = new FutureTask<>(() -> contend(contender));
            tasks.add(task);
            Thread.ofVirtual().name("contender").start(task);
        }
        ready.await();
    }

    /** Let all go. */
    void start() {
        go.countDown();
    }

    /** Wait for the outcomes. */
    List<Outcome> outcomes() throws InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (FutureTask<Outcome> task : tasks) {
            try {
                outcomes.add(task.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("A contender threw.", e);
            }
        }
        return outcomes;
    }

    @SuppressWarnings("CatchingUnchecked") // whatever is thrown is what the harness looks for
    private Outcome contend(Contender contender) throws InterruptedException {
        AgentRuntime runtime = places.apply(contender.place());
        ready.countDown();
        go.await();
        long until = System.nanoTime() + contender.delayMicros() * 1000L;
        while (until - System.nanoTime() > SPUN_NANOS) {
            LockSupport.parkNanos(until - System.nanoTime() - SPUN_NANOS);
        }
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
        try {
            return attempt(runtime, contender);
        } catch (ApprovalException e) {
            return Outcome.refused(contender, e.kind());
        } catch (Throwable t) {
            return Outcome.broke(contender, t);
        }
    }

    private Outcome attempt(AgentRuntime runtime, Contender contender) {
        Approver approver = Approver.of(contender.approver(), "acme");
        return switch (contender.deed()) {
            case APPROVE ->
                taken(
                        contender,
                        runtime.approve(approvals.get(contender.slot()), approver)
                                .result());
            case GIVE ->
                taken(
                        contender,
                        runtime.answer(
                                        approvals.get(contender.slot()),
                                        ApprovalAnswer.data(approver, contender.data()),
                                        o -> {})
                                .result());
            case DECLINE ->
                taken(
                        contender,
                        runtime.decline(approvals.get(contender.slot()), approver, "no")
                                .result());
            case CANCEL -> runtime.cancel(run) ? Outcome.taken(contender, null, null) : Outcome.notTaken(contender);
            case WAKE -> {
                wake(runtime);
                yield Outcome.notTaken(contender);
            }
            case RECOVER -> {
                runtime.recover().await();
                yield Outcome.notTaken(contender);
            }
        };
    }

    private void wake(AgentRuntime runtime) {
        try {
            runtime.wake(run, RaceWorkflows.NAP_PATH);
        } catch (ApprovalException e) {
            if (e.kind() != ApprovalException.Kind.ALREADY_DECIDED) { // else it does not sleep any more
                throw e;
            }
        }
    }

    private static Outcome taken(Contender contender, RunResult result) {
        return Outcome.taken(contender, result.status().name(), result.text());
    }
}
