package dev.chargehand.cli.runs;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.approval.Answers;
import dev.chargehand.cli.approval.ApprovalDialogue;
import dev.chargehand.cli.approval.CallQuestion;
import dev.chargehand.cli.approval.Decision;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Continues a run in the foreground. Waiting calls are shown to the user at once if there is a terminal; else, or if
 * the user leaves them waiting, the run is left suspended and the command says how to answer.
 */
public final class ForegroundRun implements Answers {

    private final Shell shell;
    private final TenantRuntime runtime;
    private final RunOutput output;
    private final WatchedRun watched;
    private final @Nullable ApprovalDialogue dialogue;
    private final Hints hints;
    private final Set<String> left = new HashSet<>();
    private boolean failed;

    /**
     * Make it.
     *
     * @param close closes the runtime that executes the run
     * @param output shows the run
     * @param dialogue asks about waiting calls, or null to ask nothing
     */
    public ForegroundRun(
            Shell shell,
            TenantRuntime runtime,
            Runnable close,
            RunOutput output,
            @Nullable ApprovalDialogue dialogue,
            Hints hints) {
        this.shell = shell;
        this.runtime = runtime;
        this.output = output;
        this.watched = new WatchedRun(shell.signals(), output, close);
        this.dialogue = dialogue;
        this.hints = hints;
    }

    /** Start or resume a run with the options that show it, and return the exit code of its end. */
    public int run(Function<Consumer<RunOptions.Builder>, RunHandle> begin) {
        return watch(begin).map(this::proceed).orElse(ExitCode.FAILED);
    }

    /**
     * Answer calls that wait, one after the other as long as they do, and return the exit code of the outcome.
     *
     * @param decision says what to answer; nothing to leave the call waiting
     */
    @Override
    public int answer(RunId runId, List<PendingApproval> calls, Decision decision) {
        RunResult last = null;
        for (PendingApproval call : calls) {
            if (last != null && !last.pendingApprovals().contains(call)) {
                continue; // the run came to its end without it
            }
            RunResult before = last;
            Optional<RunResult> result = ask(call, decision, () -> suspended(runId, before));
            if (failed) {
                return ExitCode.FAILED;
            }
            last = result.orElse(before);
        }
        return last == null ? suspended(runId, null) : proceed(last);
    }

    /** Say for what a run waits, and return the exit code of that. */
    private int suspended(RunId runId, @Nullable RunResult last) {
        if (last != null) {
            return end(last);
        }
        hints.waiting(runtime.handle(runId).pendingApprovals()).forEach(shell::note);
        return ExitCode.WAITING;
    }

    /** What is said when the user leaves at a question; the line of the question is not overwritten. */
    private void leave(Runnable says) {
        shell.out().println();
        shell.out().flush();
        says.run();
    }

    /** Ask as long as calls wait and the user answers. */
    private int proceed(RunResult result) {
        RunResult last = result;
        for (Optional<PendingApproval> next = unasked(last); next.isPresent(); next = unasked(last)) {
            PendingApproval call = next.get();
            RunResult before = last;
            last = ask(call, this::ask, () -> end(before)).orElse(before);
            if (failed) {
                return ExitCode.FAILED;
            }
        }
        return end(last);
    }

    /**
     * Decide about a call and continue its run, also one that continued elsewhere during the question.
     *
     * @param leaves what is said if a signal leaves the call waiting
     * @return the result of the run; empty if it failed, or the call was left waiting
     */
    private Optional<RunResult> ask(PendingApproval call, Decision decision, Runnable leaves) {
        CallQuestion question = new CallQuestion(runtime, call);
        watched.hold();
        Optional<ApprovalAnswer> given;
        Optional<RunHandle> elsewhere;
        try {
            given = question.ask(decision, shell.signals(), () -> leave(leaves));
            elsewhere = question.elsewhere();
            elsewhere.map(CallQuestion::reason).ifPresent(output::note);
        } finally {
            watched.showHeld();
        }
        if (given.isEmpty() && elsewhere.isEmpty()) {
            left.add(key(call));
            return Optional.empty();
        }
        Optional<RunResult> result = given.isPresent()
                ? watch(options -> runtime.answer(call, given.get(), options))
                : elsewhere.flatMap(this::follow);
        failed = result.isEmpty();
        return result;
    }

    private int end(RunResult last) {
        output.ended(last);
        if (last.status() == RunStatus.SUSPENDED) {
            hints.waiting(last.pendingApprovals()).forEach(shell::note);
            if (last.pendingApprovals().isEmpty()) {
                shell.note("waits for a time; a later command continues it then:");
                shell.note("  " + hints.command("resume " + last.runId()));
            }
        }
        return ExitCode.of(last.status());
    }

    private Optional<RunResult> watch(Function<Consumer<RunOptions.Builder>, RunHandle> begin) {
        return continuable(() -> watched.watch(begin));
    }

    private Optional<RunResult> follow(RunHandle handle) {
        return continuable(() -> watched.follow(handle));
    }

    private Optional<RunResult> continuable(Supplier<Optional<RunResult>> run) {
        try {
            return run.get();
        } catch (RunReleasedException e) {
            if (e.isStored()) {
                shell.note("run " + e.runId() + " can be continued:");
                shell.note("  " + hints.command("resume " + e.runId()));
            }
            throw e;
        }
    }

    private Optional<PendingApproval> unasked(RunResult result) {
        return dialogue == null
                ? Optional.empty()
                : result.pendingApprovals().stream()
                        .filter(call -> !left.contains(key(call)))
                        .findFirst();
    }

    private Optional<ApprovalAnswer> ask(PendingApproval call, BooleanSupplier over) {
        return dialogue == null ? Optional.empty() : dialogue.ask(call, over);
    }

    private static String key(PendingApproval call) {
        return call.callId() + " " + call.waitNumber();
    }
}
