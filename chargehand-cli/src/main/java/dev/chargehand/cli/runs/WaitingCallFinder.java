package dev.chargehand.cli.runs;

import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the calls of a run that a command answers, or reports why there are none. */
final class WaitingCallFinder {

    /** The shortest start of a call's id that names it: "call_" and four characters. */
    private static final int SHORTEST = 9;

    private final RunRecord run;
    private final TenantRuntime runtime;
    private final Hints hints;
    private final Instant now;
    private final boolean answered;

    WaitingCallFinder(ResumeOptions.Taken taken, InstantSource clock) {
        this.run = taken.run();
        this.runtime = taken.runtime();
        this.hints = taken.hints();
        this.now = clock.instant();
        this.answered = taken.answered();
    }

    /** Return everything the run waits for; at least one call. */
    List<PendingApproval> all() {
        List<PendingApproval> pending = runtime.handle(run.runId()).pendingApprovals();
        if (pending.isEmpty()) {
            throw new ConfigurationException(nothing());
        }
        pending.forEach(this::requireInTime);
        return pending;
    }

    /**
     * Return one call.
     *
     * @param callId which, by its id or the path of its step, or null for the only one
     */
    PendingApproval one(@Nullable String callId) {
        List<PendingApproval> pending = runtime.handle(run.runId()).pendingApprovals();
        if (callId != null) {
            List<PendingApproval> found =
                    pending.stream().filter(call -> isNamed(call, callId)).toList();
            if (found.isEmpty()) {
                throw new ConfigurationException(notWaiting(callId, pending));
            }
            if (found.size() > 1) {
                throw new ConfigurationException("Run " + run.runId() + ": '"
                        + Visible.line(callId, 100) + "' names " + found.size()
                        + " calls that wait for an answer; write the whole id of one. " + listed(found));
            }
            requireInTime(found.getFirst());
            return found.getFirst();
        }
        if (pending.isEmpty()) {
            throw new ConfigurationException(nothing());
        }
        if (pending.size() > 1) {
            throw new ConfigurationException("Run " + run.runId() + " waits for " + pending.size()
                    + " answers; say which call you mean. " + listed(pending));
        }
        requireInTime(pending.getFirst());
        return pending.getFirst();
    }

    private static boolean isNamed(PendingApproval call, String name) {
        return call.callId().equals(name)
                || (name.length() >= SHORTEST && call.callId().startsWith(name))
                || call.stepPath().filter(name::equals).isPresent();
    }

    private void requireInTime(PendingApproval call) {
        if (!call.expiresAt().isAfter(now)) {
            throw new ConfigurationException(
                    "Call " + call.callId() + " (" + call.toolName() + ") of run " + run.runId()
                            + " waited for an answer until " + call.expiresAt() + " and counts as declined since. '"
                            + hints.command("resume " + run.runId()) + "' resumes the run.");
        }
    }

    private String nothing() {
        if (run.status() == RunStatus.RUNNING) {
            return "Run " + run.runId() + " waits for no answer. It is executed, or a crash interrupted it: then '"
                    + hints.command("resume " + run.runId()) + "' resumes it.";
        }
        Optional<Instant> wakesAt = run.expiresAt().filter(at -> at.isAfter(now));
        if (run.status() == RunStatus.SUSPENDED && !answered && wakesAt.isPresent()) {
            return "Run " + run.runId() + " waits for no answer, but for a time, until " + wakesAt.get() + ". '"
                    + hints.command("resume " + run.runId()) + "' resumes it then.";
        }
        if (run.status() == RunStatus.SUSPENDED) {
            return "Run " + run.runId()
                    + " waits for no answer any more: its calls have been answered or have expired. '"
                    + hints.command("resume " + run.runId()) + "' resumes it.";
        }
        return "Run " + run.runId() + " has ended (" + StatusWords.word(run.status()) + ") and waits for no answer. '"
                + hints.command("show " + run.runId()) + "' shows what happened.";
    }

    private String notWaiting(String callId, List<PendingApproval> pending) {
        String shown = Visible.line(callId, 100);
        Optional<String> answered = runtime.history(run.runId()).stream()
                .filter(RunEvent.ToolCallAnswered.class::isInstance)
                .map(RunEvent.ToolCallAnswered.class::cast)
                .filter(event -> event.callId().equals(callId))
                .reduce((first, second) -> second)
                .map(event -> "Call " + shown + " (" + event.toolName() + ") of run " + run.runId()
                        + " has been answered already: " + event.answer()
                        + (event.approver() == null ? "" : " by " + Visible.line(event.approver(), 100)) + " at "
                        + event.time() + ".");
        return answered.orElse("No call '" + shown + "' of run " + run.runId() + " waits for an answer.")
                + (pending.isEmpty() ? " " + nothing() : " " + listed(pending));
    }

    private static String listed(List<PendingApproval> pending) {
        return pending.stream()
                .map(call ->
                        call.callId() + " (" + call.stepPath().orElse(call.toolName()) + " by " + call.path() + ")")
                .collect(Collectors.joining(", ", "Waiting: ", "."));
    }
}
