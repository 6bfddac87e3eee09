package dev.chargehand.cli.threads;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Terminal;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.thread.ThreadRecord;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand threads delete}: forgets a conversation. */
@Command(
        name = "delete",
        description = "Delete a conversation with all its messages. Its runs are kept.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class ThreadsDeleteCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(names = "--yes", description = "Delete without confirmation; required if standard input is not a terminal.")
    private boolean yes;

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
            if (!yes && !agreed(name + " with its " + record.length() + " messages")) {
                shell.note(name + " was not changed");
                return ExitCode.COMPLETED;
            }
            if (!runtime.threads().delete(thread.owner(), thread.id())) {
                throw thread.missing();
            }
            shell.note("deleted " + name);
            return ExitCode.COMPLETED;
        }
    }

    private boolean agreed(String what) {
        Terminal terminal = shell.terminal();
        if (terminal == null) {
            throw new ConfigurationException(
                    "There is no terminal to confirm the deletion of " + what + ". Say --yes if so.");
        }
        String answer = terminal.ask("Delete " + what + "? It cannot be brought back. y: yes, n: no > ")
                .orElse("");
        return answer.strip().equals("y");
    }
}
