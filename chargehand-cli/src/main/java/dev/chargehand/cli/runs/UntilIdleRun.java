package dev.chargehand.cli.runs;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.cli.output.Amounts;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs an agent in the foreground until none of its background tasks is left. Calls that wait are not asked about: the command
 * ends, and its last lines say how to answer and to continue.
 */
final class UntilIdleRun {

    private final Shell shell;
    private final TenantRuntime runtime;
    private final Runnable close;
    private final RunOutput output;
    private final Hints hints;

    /**
     * Make it.
     *
     * @param close closes the runtime that executes the run
     * @param output shows the turns
     */
    UntilIdleRun(Shell shell, TenantRuntime runtime, Runnable close, RunOutput output, Hints hints) {
        this.shell = shell;
        this.runtime = runtime;
        this.close = close;
        this.output = output;
        this.hints = hints;
    }

    /** Run an agent on a prompt, and return the exit code of the last turn. */
    int run(Agent agent, String prompt, Consumer<RunOptions.Builder> options) {
        shell.signals().hold();
        try (IdleStream stream = agent.streamUntilIdle(prompt, options)) {
            shell.signals().stops(stream::cancel, close);
            for (RunEvent event : stream) {
                if (!output.event(event)) {
                    stream.cancel();
                }
            }
            return ended(stream);
        } catch (RunReleasedException e) {
            output.close();
            recoverLater();
            throw e;
        } finally {
            shell.signals().release();
        }
    }

    private int ended(IdleStream stream) {
        try {
            IdleResult result = stream.result();
            RunResult last = result.turns().getLast();
            output.ended(last);
            if (!result.tasks().isEmpty()) {
                shell.note(Amounts.count(result.turns().size(), "turn") + ", "
                        + Amounts.count(result.tasks().size(), "background task") + "; tokens in+out of all: "
                        + Amounts.shortTokens(result.totalUsage()));
            }
            hints.waiting(last.pendingApprovals()).forEach(shell::note);
            boolean left = report(result.tasks());
            return last.status() == RunStatus.COMPLETED && left ? ExitCode.WAITING : ExitCode.of(last.status());
        } catch (RunFailedException e) {
            output.failed(e);
            report(runtime.tasks(TaskFilter.of(stream.runId())));
            return ExitCode.FAILED;
        }
    }

    /** Report the tasks that have not ended, and return whether there are any. */
    private boolean report(List<Task> tasks) {
        List<Task> left =
                tasks.stream().filter(task -> !task.status().isEnded()).toList();
        left.forEach(task -> {
            shell.note("background task " + task.id() + " of " + task.agentId() + " has not ended");
            hints.waiting(runtime.task(task.id()).pendingApprovals()).forEach(shell::note);
        });
        if (!left.isEmpty()) {
            recoverLater();
        }
        return !left.isEmpty();
    }

    private void recoverLater() {
        shell.note("a later command continues the conversation and its background tasks:");
        shell.note("  " + hints.command("recover"));
    }
}
