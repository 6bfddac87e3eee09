package dev.chargehand.cli;

import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.AgentsFileReader;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the runs are that a command is about: the options of every command over stored runs. */
final class StoreOptions {

    @Option(
            names = "--store",
            paramLabel = "FILE",
            description =
                    "The SQLite file that keeps the runs. Default: the file's 'store', else the one in .chargehand/.")
    private @Nullable Path store;

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

    /**
     * Opens the store, which is never made: there would be nothing in it.
     *
     * @throws ConfigurationException if it is not there
     */
    Store open(Shell shell) {
        Path path = path(shell);
        if (!Files.exists(path)) {
            throw new ConfigurationException(
                    "There is no store '" + path + "', so there are no runs to look at. A run is"
                            + " kept if it has a --thread, may wait for approval, or is given a --store; name that store here.");
        }
        return JdbcStore.sqlite(path);
    }

    private Path path(Shell shell) {
        if (store != null) {
            return shell.folder().resolve(store);
        }
        AgentsFile file = file(shell);
        Setting named = file.store();
        return named == null
                ? StoreFile.own(file)
                : file.folder()
                        .resolve(new Variables(shell.environment())
                                .resolve(named)
                                .text());
    }

    /** Returns hints that repeat these options. */
    Hints hints() {
        return Hints.with(store, config);
    }

    /**
     * Finds a root run.
     *
     * @throws ConfigurationException if it is not there, or is a delegation
     */
    RunRecord find(Store from, String id) {
        RunRecord found = id.isBlank() ? null : from.find(new RunId(id)).orElse(null);
        String shown = Visible.line(id, 100);
        if (found == null) {
            throw new ConfigurationException("There is no run '" + shown + "' in the store. '" + hints().command("runs")
                    + "' lists those that are there.");
        }
        if (!found.isRoot()) {
            throw new ConfigurationException(
                    "Run '" + shown + "' is a delegation of run " + found.rootRunId() + "; use that one.");
        }
        return found;
    }
}
