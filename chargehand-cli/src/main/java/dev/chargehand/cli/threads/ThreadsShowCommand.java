package dev.chargehand.cli.threads;

import dev.chargehand.AgentRuntime;
import dev.chargehand.cli.output.ThreadLines;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.thread.ThreadRecord;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand threads show}: shows what was said. */
@Command(
        name = "show",
        description = "Show the messages of a conversation.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class ThreadsShowCommand implements Callable<Integer> {

    private final Shell shell;

    @Option(names = "--last", paramLabel = "N", description = "Show the last N messages. Default: 50.")
    private int last = 50;

    @Mixin
    private ThreadOptions thread = new ThreadOptions();

    ThreadsShowCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (last < 1) {
            throw new ConfigurationException("--last must be at least 1, but is " + last + ".");
        }
        try (AgentRuntime runtime = thread.open(shell)) {
            ThreadRecord record = thread.find(runtime);
            if (record.title().isPresent()) {
                shell.note(ThreadLines.title(record));
            }
            if (record.length() > last) {
                shell.note("the last " + last + " of " + record.length() + " messages");
            }
            thread.messages(runtime, record, last)
                    .forEach(message -> ThreadLines.of(message).forEach(shell::say));
            shell.out().flush();
            return ExitCode.COMPLETED;
        }
    }
}
