package dev.chargehand.cli.versions;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.version.AgentVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand versions restore}: saves an earlier version again. */
@Command(
        name = "restore",
        description = "Save an earlier version again, as a draft. It is not published.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class VersionsRestoreCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private VersionOptions options = new VersionOptions();

    @Parameters(index = "1", paramLabel = "VERSION", description = "The id of the version, such as stored-2.")
    private String version = "";

    VersionsRestoreCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return options.with(shell, false, versions -> {
            AgentVersion done = versions.restore(options.agent(), version);
            shell.note(done.id() + " has the text of " + Visible.line(version, 64) + "; '"
                    + options.hints().command("versions publish " + options.agent() + " " + done.id())
                    + "' publishes it");
            return ExitCode.COMPLETED;
        });
    }
}
