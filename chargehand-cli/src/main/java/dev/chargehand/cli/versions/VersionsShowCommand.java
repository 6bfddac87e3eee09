package dev.chargehand.cli.versions;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.Version;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand versions show}: prints the document of a saved version. */
@Command(
        name = "show",
        description = "Print the document of a saved version.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {"", "The document goes to standard output, when it was saved to standard error."})
final class VersionsShowCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private VersionOptions options = new VersionOptions();

    @Parameters(index = "1", paramLabel = "VERSION", description = "The id of the version, such as stored-2.")
    private String version = "";

    VersionsShowCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return options.with(shell, false, versions -> {
            AgentVersion found = versions.find(options.agent(), Version.id(version))
                    .orElseThrow(() -> new ConfigurationException("There is no saved version '"
                            + Visible.line(version, 64) + "' of agent '" + options.agent() + "'. '"
                            + options.hints().command("versions list " + options.agent()) + "' lists them."));
            VersionLines.of(List.of(found)).forEach(shell::note);
            found.document().lines().map(Visible::text).forEach(shell.out()::println);
            shell.out().flush();
            return ExitCode.COMPLETED;
        });
    }
}
