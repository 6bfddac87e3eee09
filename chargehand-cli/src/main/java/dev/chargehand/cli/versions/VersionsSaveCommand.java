package dev.chargehand.cli.versions;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code chargehand versions save}: saves a version of an agent. */
@Command(
        name = "save",
        description = "Save a version of an agent. It is not published.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "The file has the keys of the agent in chargehand.yaml, without its id. If the latest version has the same text,",
            "nothing is saved."
        })
final class VersionsSaveCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private VersionOptions options = new VersionOptions();

    @Parameters(index = "1", paramLabel = "FILE", description = "The file with the version.")
    private Path file = Path.of("");

    VersionsSaveCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        String agent = options.agent();
        String document = read();
        return options.with(shell, true, versions -> {
            Optional<AgentVersion> before = versions.find(agent, Version.latest());
            AgentVersion saved = versions.save(agent, document);
            boolean isNew = before.filter(saved::equals).isEmpty();
            shell.out().println(saved.id());
            shell.out().flush();
            shell.note(
                    isNew
                            ? "saved as a draft; '"
                                    + options.hints().command("versions publish " + agent + " " + saved.id())
                                    + "' publishes it"
                            : "the latest version is the same, so nothing was saved");
            return ExitCode.COMPLETED;
        });
    }

    private String read() {
        try {
            return Files.readString(shell.folder().resolve(file));
        } catch (IOException e) {
            throw new ConfigurationException("'" + Visible.line(file.toString(), 200)
                    + "' cannot be read as a text file. Name a file with the keys of the agent.");
        }
    }
}
