package dev.chargehand.cli.approval;

import dev.chargehand.RunHandle;
import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.shell.Signals;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunStatus;
import java.util.Optional;

/**
 * A question about a waiting call, which ends without an answer when the call does not wait any more: another process
 * has cancelled its run or answered it, or its time is over. Used by one thread.
 */
public final class CallQuestion {

    private final TenantRuntime runtime;
    private final PendingApproval call;
    private volatile boolean over;

    /** Make one about a call of a run of a runtime. */
    public CallQuestion(TenantRuntime runtime, PendingApproval call) {
        this.runtime = runtime;
        this.call = call;
    }

    /**
     * Ask it.
     *
     * @param left reports that a signal left the call waiting, and how it can be answered later
     * @return the answer; empty if the call was left waiting, or the question is {@link #elsewhere over}
     */
    public Optional<ApprovalAnswer> ask(Decision decision, Signals signals, Runnable left) {
        return signals.asks(left, () -> decision.about(call, this::isOver));
    }

    /** Return the run, if it continued or ended without an answer from here. */
    public Optional<RunHandle> elsewhere() {
        return over ? Optional.of(runtime.handle(call.rootRunId())) : Optional.empty();
    }

    /** A store that fails now may work at the next look. */
    private boolean isOver() {
        try {
            over = !runtime.handle(call.rootRunId()).pendingApprovals().contains(call);
        } catch (StoreException e) {
            over = e.kind() == StoreException.Kind.NOT_FOUND;
        } catch (ChargehandException e) {
            over = false;
        }
        return over;
    }

    /** Return what happened to a run that continued or ended without an answer from here. */
    public static String reason(RunHandle run) {
        return run.status() == RunStatus.ABORTED
                ? "chargehand: the run was cancelled elsewhere while it waited for this answer."
                : "chargehand: the call does not wait any more: it was answered elsewhere, or its time is over.";
    }
}
