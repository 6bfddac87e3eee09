package dev.chargehand.internal.engine.resume;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.tree.AcceptedDecision;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.store.RunRecord;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Accepts decisions about calls that wait, and resumes the trees of their runs. Thread-safe. */
public final class ApprovalResumer {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;
    private final ApprovalValidator validator;
    private final RecentDecisions recent = new RecentDecisions();

    /** Make it for a runtime; without a check it accepts no decision. */
    public ApprovalResumer(
            RuntimeEnvironment environment, Engine engine, RunClaims claims, @Nullable ApproverCheck check) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
        this.validator = new ApprovalValidator(environment, check);
    }

    /** Resume a run with a decision, and wait for its result. */
    public RunResult answer(PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes) {
        Resumed resumed = resumed(approval, answer, changes, false);
        RunResult result = resumed.run().result();
        if (!resumed.decision().recorded().get()) {
            throw over(approval);
        }
        return result;
    }

    /** Resume a run with a decision, and return its stream. */
    public RunStream answerStream(
            PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes) {
        return resumed(approval, answer, changes, true).run().stream();
    }

    /** A run that was resumed, and the decision because of which it was. */
    private record Resumed(LocalRun run, AcceptedDecision decision) {}

    private Resumed resumed(
            PendingApproval approval, ApprovalAnswer answer, UnaryOperator<OptionValues> changes, boolean streamed) {
        engine.requireOpen();
        engine.releases().tryNow(approval.rootRunId());
        RunWait wait = new RunWait(approval.rootRunId(), environment.time());
        while (true) {
            Optional<RunRecord> asking = environment.store().find(approval.runId());
            RunRecord root = environment
                    .store()
                    .find(approval.rootRunId())
                    .filter(RunRecord::isRoot)
                    .orElseThrow(() -> gone(approval));
            AcceptedDecision decision = validator.accepted(approval, answer);
            if (root.status().isEnded()) {
                throw over(approval);
            }
            Agent agent = engine.agentOf(root);
            Optional<LocalRun> run = claims.resume(root, agent, changes, streamed, decision);
            if (run.isPresent()) {
                recent.add(approval);
                return new Resumed(run.get(), decision);
            }
            awaitChange(root, asking, wait);
        }
    }

    /**
     * Wait until a run that is live here has ended or wait, or until one of another process may be free, or the nested
     * run that waits has changed.
     */
    private void awaitChange(RunRecord root, Optional<RunRecord> asking, RunWait wait) {
        Optional<LocalRun> live = engine.live(root.runId());
        if (live.isPresent()) {
            wait.untilOver(live.get());
            return;
        }
        int look = 1;
        do {
            wait.pause();
        } while (!engine.isAtWork(root.runId())
                && environment.ownership().isRunning(root.runId(), look++)
                && asking.flatMap(run -> environment.store().find(run.runId())).equals(asking));
    }

    private static ApprovalException over(PendingApproval approval) {
        return new ApprovalException(
                ApprovalException.Kind.ALREADY_DECIDED,
                "Run " + approval.rootRunId() + " has ended before; call " + approval.callId()
                        + " does not wait any more.");
    }

    private ApprovalException gone(PendingApproval approval) {
        return recent.has(approval)
                ? new ApprovalException(
                        ApprovalException.Kind.ALREADY_DECIDED,
                        "Call " + approval.callId() + " of run " + approval.runId() + " has been answered already.")
                : new ApprovalException(
                        ApprovalException.Kind.UNKNOWN,
                        "Run " + approval.rootRunId() + " is not in the store; what it waited for is over.");
    }
}
