package dev.chargehand.cli.serve;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand keys revoke}: removes a key. */
@Command(
        name = "revoke",
        description = "Remove a key; servers that run reject it a second later.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class KeysRevokeCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(paramLabel = "NAME", description = "The name of the key.")
    private String name = "";

    @Mixin
    private KeysOptions keys = new KeysOptions();

    KeysRevokeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (!keys.open(shell).revoke(name)) {
            throw new ConfigurationException(
                    keys.file() + " has no key '" + name + "'. 'chargehand keys list' lists them.");
        }
        shell.note("The key '" + name + "' is revoked.");
        return 0;
    }
}
