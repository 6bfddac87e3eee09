package dev.chargehand.cli;

import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.AgentsFileReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which agents' file a command works with, and how much it logs. */
final class FileOptions {

    @Option(names = "--config", paramLabel = "FILE", description = "The agents. Default: chargehand.yaml.")
    private @Nullable Path config;

    @Option(names = "--verbose", description = "Log more to standard error.")
    private boolean verbose;

    /** Sets the logging up, before anything logs. */
    void begin() {
        Logging.configure(verbose);
    }

    /** Reads the agents. */
    AgentsFile file(Shell shell) {
        Path path = config == null ? Path.of(AgentsFileReader.NAME) : config;
        return AgentsFileReader.read(shell.folder().resolve(path), path.toString(), Crew.TOOLS);
    }

    /** Returns hints that repeat these options, and a store that was named. */
    Hints hints(@Nullable String store) {
        return Hints.with(store, config);
    }
}
