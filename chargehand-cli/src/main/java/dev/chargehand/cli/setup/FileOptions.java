package dev.chargehand.cli.setup;

import dev.chargehand.cli.shell.Logging;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.config.Crew;
import dev.chargehand.config.StateFolder;
import dev.chargehand.config.StoreLocation;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which agents' file a command works with, and how much it logs. */
public final class FileOptions {

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The file that defines the agents. Default: chargehand.yaml.")
    private @Nullable Path config;

    @Option(
            names = {"-v", "--verbose"},
            description = "Log more to standard error.")
    private boolean verbose;

    /** Configure logging, before the first message is logged. */
    public void begin() {
        Logging.configure(verbose);
    }

    /** Read the agents. */
    public AgentsFile file(Shell shell) {
        return AgentsFileReader.read(path(shell), name().toString(), Crew.TOOLS);
    }

    /** Return the store that the file names, also if there are mistakes elsewhere in it. */
    Optional<StoreLocation> store(Shell shell, Variables variables) {
        Path path = path(shell);
        return AgentsFileReader.readStore(path, name().toString())
                .map(named -> StoreLocation.of(variables.resolve(named).text(), named.at(), folder(path), variables));
    }

    /** Return the folder next to the file. */
    StateFolder state(Shell shell) {
        return StateFolder.in(folder(path(shell)));
    }

    private static Path folder(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent;
    }

    private Path name() {
        return config == null ? Path.of(AgentsFileReader.NAME) : config;
    }

    private Path path(Shell shell) {
        Path path = shell.folder().resolve(name()).normalize();
        if (Files.notExists(path)) {
            throw new ConfigurationException(
                    name() + ": there is no such file. 'chargehand init' makes one (docs/cli.md), or"
                            + " name another with --config.");
        }
        return path;
    }

    /** Return hints that repeat these options, and a store that was named. */
    public Hints hints(@Nullable String store) {
        return Hints.with(store, config);
    }
}
