package dev.chargehand.cli.threads;

import dev.chargehand.cli.shell.Shell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code chargehand threads}: the conversations of a store. */
@Command(
        name = "threads",
        description = "List, show, export and delete the conversations of a store.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand threads list",
            "  chargehand threads show t1 --resource ann",
            "  chargehand threads export t1 > t1.json"
        })
public final class ThreadsCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    private ThreadsCommand() {}

    /** Create the command with its subcommands. */
    public static CommandLine of(Shell shell) {
        return new CommandLine(new ThreadsCommand())
                .addSubcommand(new ThreadsListCommand(shell))
                .addSubcommand(new ThreadsShowCommand(shell))
                .addSubcommand(new ThreadsExportCommand(shell))
                .addSubcommand(new ThreadsDeleteCommand(shell));
    }

    @Override
    public void run() {
        CommandSpec own = spec;
        if (own != null) {
            own.commandLine().usage(own.commandLine().getOut());
        }
    }
}
