package dev.chargehand.cli.approval;

import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.run.RunId;
import java.util.List;
import java.util.Optional;

/** Stores answers and continues no run, because its agents are not here. */
public final class AnswersAlone implements Answers {

    private final Shell shell;
    private final TenantRuntime runtime;
    private final Hints hints;

    /** Make it for the runs of a runtime. */
    public AnswersAlone(Shell shell, TenantRuntime runtime, Hints hints) {
        this.shell = shell;
        this.runtime = runtime;
        this.hints = hints;
    }

    @Override
    public int answer(RunId runId, List<PendingApproval> calls, Decision decision) {
        boolean stored = false;
        for (PendingApproval call : calls) {
            Optional<ApprovalAnswer> given =
                    shell.signals().asks(() -> leave(runId), () -> decision.about(call, () -> false));
            given.ifPresent(each -> runtime.storeAnswer(call, each));
            stored |= given.isPresent();
        }
        waiting(runId);
        if (stored) {
            shell.note("The answer is stored. As soon as the file can be used, this continues the run:");
            shell.note("  " + hints.command("resume " + runId));
        }
        return ExitCode.WAITING;
    }

    /** The line of the question is not written on. */
    private void leave(RunId runId) {
        shell.out().println();
        shell.out().flush();
        waiting(runId);
    }

    private void waiting(RunId runId) {
        hints.waiting(runtime.handle(runId).pendingApprovals()).forEach(shell::note);
    }
}
