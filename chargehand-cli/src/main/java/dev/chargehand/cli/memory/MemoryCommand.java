package dev.chargehand.cli.memory;

import dev.chargehand.cli.shell.Shell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code chargehand memory}: what agents remember. */
@Command(
        name = "memory",
        description =
                "Show what an agent has noted and observed and what that used, search and index what was said, and forget a resource.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand memory show --resource ann",
            "  chargehand memory show --observations --thread t1",
            "  chargehand memory search holidays in Norway --resource ann",
            "  chargehand memory reindex --resource ann",
            "  chargehand memory usage --resource ann",
            "  chargehand memory forget --resource ann"
        })
public final class MemoryCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    private MemoryCommand() {}

    /** Create the command with its subcommands. */
    public static CommandLine of(Shell shell) {
        return new CommandLine(new MemoryCommand())
                .addSubcommand(new MemoryShowCommand(shell))
                .addSubcommand(new MemorySearchCommand(shell))
                .addSubcommand(new MemoryReindexCommand(shell))
                .addSubcommand(new MemoryUsageCommand(shell))
                .addSubcommand(new MemoryForgetCommand(shell));
    }

    @Override
    public void run() {
        CommandSpec own = spec;
        if (own != null) {
            own.commandLine().usage(own.commandLine().getOut());
        }
    }
}
