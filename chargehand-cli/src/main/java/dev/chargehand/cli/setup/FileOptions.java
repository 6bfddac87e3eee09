package dev.chargehand.cli.setup;

import dev.chargehand.cli.shell.Logging;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.config.Crew;
import dev.chargehand.error.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which agents' file a command works with, and how much it logs. */
public final class FileOptions {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The file that defines the agents. Default: chargehand.yaml.")
    private @Nullable Path config;

    @Option(names = "--verbose", description = "Log more to standard error.")
    private boolean verbose;

    /** Configure logging, before the first message is logged. */
    public void begin() {
        Logging.configure(verbose);
    }

    /** Read the agents. */
    public AgentsFile file(Shell shell) {
        Path path = config == null ? Path.of(AgentsFileReader.NAME) : config;
        Path whole = shell.folder().resolve(path);
        if (Files.notExists(whole)) {
            throw new ConfigurationException(
                    path + ": there is no such file. 'chargehand init' makes one (docs/cli.md), or"
                            + " name another with --config.");
        }
        return AgentsFileReader.read(whole, path.toString(), Crew.TOOLS);
    }

    /** Return hints that repeat these options, and a store that was named. */
    public Hints hints(@Nullable String store) {
        return Hints.with(store, config);
    }
}
