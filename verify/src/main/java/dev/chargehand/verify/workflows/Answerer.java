package dev.chargehand.verify.workflows;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.workflows.Questions.Question;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers what a run of a random workflow asks: as soon as its event is emitted, while other steps are executed, or when the run is suspended,
 * and sometimes with data of another type before.
 */
final class Answerer {

    private static final Approver ANN = Approver.of("ann");

    private final boolean atOnce;
    private final SplittableRandom random;
    private final Consumer<String> odd;
    private final Queue<Thread> answering = new ConcurrentLinkedQueue<>();
    private volatile @Nullable AgentRuntime runtime;

    /**
     * Make one for one runtime.
     *
     * @param odd hears what should not have happened
     */
    Answerer(SplittableRandom random, Consumer<String> odd) {
        this.atOnce = random.nextBoolean();
        this.random = random;
        this.odd = odd;
    }

    /** Answer the runs of this runtime from now on. */
    void use(AgentRuntime used) {
        runtime = used;
    }

    /** Hear what happens in a run. */
    void hear(RunEvent event) {
        if (atOnce && event instanceof WorkflowEvent.WorkflowStepSuspended asked) {
            answering.add(Thread.ofVirtual().start(() -> attempt(asked.approval())));
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever it is, it is what the harness looks for
    private void attempt(PendingApproval waiting) {
        AgentRuntime used = runtime;
        try {
            if (used != null) {
                RunHandle ignored = answer(used, waiting);
            }
        } catch (Exception e) {
            if (!isLate(e)) {
                odd.accept("an answer at once threw " + e);
            }
        }
    }

    /** Answer until the run has ended, or its store has died; returns how it ended. */
    RunResult toItsEnd(AgentRuntime used, RunResult first) throws InterruptedException {
        RunId root = first.runId();
        RunResult result = first;
        List<PendingApproval> waiting = result.pendingApprovals();
        while (result.status() == RunStatus.SUSPENDED && !waiting.isEmpty()) {
            PendingApproval chosen = waiting.get(random.nextInt(waiting.size()));
            if (random.nextInt(4) == 0) {
                giveNonsense(used, chosen);
            }
            result = WorkflowsHarness.result(answered(used, chosen, root));
            waiting = result.pendingApprovals();
        }
        for (Thread each : answering) {
            each.join();
        }
        return result;
    }

    private RunHandle answered(AgentRuntime used, PendingApproval waiting, RunId root) {
        try {
            // by its path an answer is for what the step asks now, which is the next question if another answer was
            // faster
            return random.nextBoolean()
                            || atOnce
                            || Question.of(waiting).declined()
                            || !waiting.runId().equals(root)
                    ? answer(used, waiting)
                    : used.giveData(
                            waiting.runId(),
                            waiting.stepPath().orElseThrow(),
                            Question.of(waiting).answer());
        } catch (ApprovalException e) {
            if (!isLate(e)) {
                odd.accept("an answer threw " + e);
            }
            return used.handle(root);
        }
    }

    private void giveNonsense(AgentRuntime used, PendingApproval waiting) {
        try {
            RunHandle ignored = used.giveData(waiting, "nonsense");
            odd.accept("data of another type was taken for " + waiting.payload());
        } catch (ApprovalException e) {
            if (e.kind() != ApprovalException.Kind.INVALID_ANSWER && !isLate(e)) {
                odd.accept("data of another type threw " + e);
            }
        }
    }

    /** Another answer was faster, which is possible if there are answers at once. */
    private boolean isLate(Exception e) {
        return atOnce
                && e instanceof ApprovalException approval
                && (approval.kind() == ApprovalException.Kind.ALREADY_DECIDED
                        || approval.kind() == ApprovalException.Kind.UNKNOWN);
    }

    /** Give the answer to a question of a random workflow, which is always the same. */
    static RunHandle answer(AgentRuntime runtime, PendingApproval waiting) {
        Question question = Question.of(waiting);
        return question.declined() ? runtime.decline(waiting, ANN, "no") : runtime.giveData(waiting, question.answer());
    }
}
