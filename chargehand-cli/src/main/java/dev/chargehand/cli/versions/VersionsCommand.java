package dev.chargehand.cli.versions;

import dev.chargehand.cli.shell.Shell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code chargehand versions}: the versions of agents that are saved in a store. */
@Command(
        name = "versions",
        description = "List the saved versions of an agent, and show, save, publish and restore them.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand versions save writer writer.yaml",
            "  chargehand run \"Write about boats\" --version writer=latest",
            "  chargehand versions publish writer stored-2",
            "  chargehand versions list writer",
            "  chargehand versions restore writer stored-1"
        })
public final class VersionsCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    private VersionsCommand() {}

    /** Create the command with its subcommands. */
    public static CommandLine of(Shell shell) {
        return new CommandLine(new VersionsCommand())
                .addSubcommand(new VersionsListCommand(shell))
                .addSubcommand(new VersionsShowCommand(shell))
                .addSubcommand(new VersionsSaveCommand(shell))
                .addSubcommand(new VersionsPublishCommand(shell))
                .addSubcommand(new VersionsRestoreCommand(shell));
    }

    @Override
    public void run() {
        CommandSpec own = spec;
        if (own != null) {
            own.commandLine().usage(own.commandLine().getOut());
        }
    }
}
