package dev.chargehand.cli.versions;

import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.version.AgentVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand versions publish}: publishes a saved version. */
@Command(
        name = "publish",
        description = "Make a saved version the published one.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class VersionsPublishCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private VersionOptions options = new VersionOptions();

    @Parameters(index = "1", paramLabel = "VERSION", description = "The id of the version, such as stored-2.")
    private String version = "";

    VersionsPublishCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return options.with(shell, false, versions -> {
            AgentVersion done = versions.publish(options.agent(), version);
            shell.note("published " + done.id());
            return ExitCode.COMPLETED;
        });
    }
}
