package dev.chargehand.cli.threads;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.ThreadLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.json.Json;
import dev.chargehand.thread.ThreadRecord;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code chargehand threads export}: prints a conversation as JSON. */
@Command(
        name = "export",
        description = "Print a conversation with all its messages as one JSON object.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class ThreadsExportCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private ThreadOptions thread = new ThreadOptions();

    ThreadsExportCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (AgentRuntime runtime = thread.open(shell)) {
            ThreadRecord record = thread.find(runtime);
            Json whole = ThreadLines.whole(record, thread.messages(runtime, record, Long.MAX_VALUE));
            shell.out().println(Visible.json(whole.text()));
            shell.out().flush();
            return ExitCode.COMPLETED;
        }
    }
}
