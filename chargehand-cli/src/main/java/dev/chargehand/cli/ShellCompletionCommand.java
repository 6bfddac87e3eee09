package dev.chargehand.cli;

import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code chargehand completion}: prints the script with which a shell completes commands and options. */
@Command(
        name = "completion",
        description = "Print a script with which bash and zsh complete commands and options.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "For one session of bash, and for all:",
            "  source <(chargehand completion)",
            "  chargehand completion > ~/.local/share/bash-completion/completions/chargehand"
        })
final class ShellCompletionCommand implements Callable<Integer> {

    private final Shell shell;

    @Spec
    private @Nullable CommandSpec spec;

    ShellCompletionCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        CommandSpec own = spec;
        if (own != null) {
            CommandSpec root = own.root();
            shell.out().print(AutoComplete.bash(root.name(), root.commandLine()));
            shell.out().flush();
        }
        return ExitCode.COMPLETED;
    }
}
