package dev.chargehand.cli.threads;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.ConfirmedDeletion;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.thread.ThreadDeletion;
import dev.chargehand.thread.ThreadRecord;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand threads delete}: deletes a conversation. */
@Command(
        name = "delete",
        description = "Delete a conversation with all its messages. Its runs are kept, unless --with-runs is given.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class ThreadsDeleteCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(names = "--with-runs", description = "Delete its runs too, whose facts contain what was said.")
    private boolean withRuns;

    @Mixin
    private ConfirmedDeletion deletion = new ConfirmedDeletion();

    @Mixin
    private ThreadOptions thread = new ThreadOptions();

    ThreadsDeleteCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (AgentRuntime runtime = thread.open(shell)) {
            ThreadRecord record = thread.find(runtime);
            String name = "thread '" + Visible.line(thread.id(), 100) + "'";
            String what = name + " with its " + record.length() + " messages" + (withRuns ? " and its runs" : "");
            if (!deletion.isConfirmed(shell, what)) {
                shell.note(name + " was not changed");
                return ExitCode.COMPLETED;
            }
            if (!thread.of(runtime).threads().delete(thread.owner(), thread.id(), this::choose)) {
                throw thread.missing();
            }
            shell.note("deleted " + name + (withRuns ? " and its runs" : ""));
            return ExitCode.COMPLETED;
        }
    }

    private ThreadDeletion choose(ThreadDeletion how) {
        ThreadDeletion cancelled = deletion.cancelsRuns() ? how.cancelRuns() : how;
        return withRuns ? cancelled.withRuns() : cancelled;
    }
}
