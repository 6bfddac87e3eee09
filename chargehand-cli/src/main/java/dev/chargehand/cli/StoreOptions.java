package dev.chargehand.cli;

import dev.chargehand.cli.config.AgentsFile;
import dev.chargehand.cli.config.Position;
import dev.chargehand.cli.config.Variables;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the runs are that a command is about: the options of every command over stored runs. */
final class StoreOptions {

    @Option(
            names = "--store",
            paramLabel = "FILE|URL",
            description = "What keeps the runs: a SQLite file or the URL of a database, as for run."
                    + " Default: the file's 'store', else the one in .chargehand/.")
    private @Nullable String store;

    @Mixin
    private FileOptions files = new FileOptions();

    /** Sets the logging up, before anything logs. */
    void begin() {
        files.begin();
    }

    /** Reads the agents. */
    AgentsFile file(Shell shell) {
        return files.file(shell);
    }

    /**
     * Opens the store, which is never made: there would be nothing in it.
     *
     * @throws ConfigurationException if it is not there
     */
    Store open(Shell shell) {
        StorePlace place = place(shell);
        if (place instanceof StorePlace.OfFile file && !Files.exists(file.path())) {
            throw new ConfigurationException(
                    "There is no store '" + file.path() + "', so there are no runs to look at. A run is"
                            + " kept if it has a --thread, may wait for approval, or is given a --store; name that store here.");
        }
        return Stores.open(place);
    }

    private StorePlace place(Shell shell) {
        Variables variables = new Variables(shell.environment());
        if (store != null) {
            return StorePlace.of(store, new Position("--store"), shell.folder(), variables);
        }
        AgentsFile file = file(shell);
        StorePlace named = Stores.named(file, variables);
        return named == null ? new StorePlace.OfFile(Stores.own(file)) : named;
    }

    /** Returns hints that repeat these options. */
    Hints hints() {
        return files.hints(store);
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
