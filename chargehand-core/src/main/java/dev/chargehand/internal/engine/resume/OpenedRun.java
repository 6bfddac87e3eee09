package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunWatch;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Duration;
import java.util.List;

/** The handle of a run that was opened by its id to read it: whether its caller may cancel it is checked then. */
record OpenedRun(RunHandle run, AccessGate access) implements RunHandle {

    @Override
    public RunId runId() {
        return run.runId();
    }

    @Override
    public RunStatus status() {
        return run.status();
    }

    @Override
    public RunResult result() {
        return run.result();
    }

    @Override
    public RunResult result(Duration most) {
        return run.result(most);
    }

    @Override
    public List<PendingApproval> pendingApprovals() {
        return run.pendingApprovals();
    }

    @Override
    public RunWatch events() {
        return run.events();
    }

    @Override
    public boolean cancel() {
        return access.mayOpen(runId(), true) && run.cancel();
    }

    @Override
    public boolean delete() {
        return access.mayOpen(runId(), true) && run.delete();
    }
}
