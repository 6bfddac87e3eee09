package dev.chargehand.cli.workflow;

import dev.chargehand.cli.runs.ResumeCommand;
import dev.chargehand.cli.shell.Shell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code chargehand workflow}: the workflows of a file and their runs. */
@Command(
        name = "workflow",
        description = "List, run, show and resume the workflows of a file.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand workflow list",
            "  chargehand workflow run letters '{\"text\": \"Where is my order?\"}'",
            "  chargehand workflow show letters --mermaid"
        })
public final class WorkflowCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    private WorkflowCommand() {}

    /** Create the command with its subcommands. */
    public static CommandLine of(Shell shell) {
        return new CommandLine(new WorkflowCommand())
                .addSubcommand(new WorkflowListCommand(shell))
                .addSubcommand(new WorkflowRunCommand(shell))
                .addSubcommand(new WorkflowShowCommand(shell))
                .addSubcommand(new ResumeCommand(shell));
    }

    @Override
    public void run() {
        CommandSpec own = spec;
        if (own != null) {
            own.commandLine().usage(own.commandLine().getOut());
        }
    }
}
