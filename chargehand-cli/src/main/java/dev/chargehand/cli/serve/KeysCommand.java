package dev.chargehand.cli.serve;

import dev.chargehand.cli.shell.Shell;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code chargehand keys}: the keys with which callers of the server sign in. */
@Command(
        name = "keys",
        description = "Add, list and revoke the keys with which callers of the server sign in.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  chargehand keys add shop --resource ann --scopes runs:read,runs:write",
            "  chargehand keys list",
            "  chargehand keys revoke shop"
        })
public final class KeysCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    private KeysCommand() {}

    /** Create the command with its subcommands. */
    public static CommandLine of(Shell shell) {
        return new CommandLine(new KeysCommand())
                .addSubcommand(new KeysAddCommand(shell))
                .addSubcommand(new KeysListCommand(shell))
                .addSubcommand(new KeysRevokeCommand(shell));
    }

    @Override
    public void run() {
        CommandSpec own = spec;
        if (own != null) {
            own.commandLine().usage(own.commandLine().getOut());
        }
    }
}
